"""The verdict on a form: what it is, and whether it is submitted.

`judge_form` decides whether a form may be submitted. It answers two questions. What is the form? The classifier (`forms.classifier`)
answers with a probability, from all texts of the form and around it. Could sending it do harm, or be impolite? The safety rules
(`forms.safety`) answer with a list of reasons. Known dangers outweigh any probability; a high probability outweighs what the rules
merely do not understand. A form may be submitted if it is almost surely a search and there is no reason against it.

A site may have the same form many times. So `FormRegistry` (`querying.form_registry`), which calls this for each new form, also skips those
that repeat another one, or that are one too many of their kind. A user's "allow" or "never" comes last (`overrule`).

robots.txt is not part of a verdict: it is asked about the address of each query when its turn has come (`middlewares.robots`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hiddenweb.forms.buttons import button_to_press
from hiddenweb.forms.classifier import classify
from hiddenweb.forms.page_copies import bare_name, copied_names
from hiddenweb.forms.query_box import find_query_box
from hiddenweb.forms.safety import find_politeness_refusals, find_refusals
from hiddenweb.forms.submission import resolve_button
from hiddenweb.frontier.address_scope import OUTSIDE
from hiddenweb.html.url_templates import drop_repeats
from hiddenweb.model import Verdict
from hiddenweb.urls import canonical_url, host

if TYPE_CHECKING:
    from collections.abc import Container

    from hiddenweb.forms.classifier import FormModel
    from hiddenweb.frontier.address_scope import AddressScope
    from hiddenweb.model import Form

SURE, SURE_BY_POST = 0.6, 0.8
"""The least probability of a search that may be submitted; a POST may do anything, so it needs more.

Limits of taste: `python -m benchmarks forms` says what they cost."""

_FLAGS = frozenset({"", "0", "1", "on", "yes", "true"})
_ONLY_NARROWING = frozenset({"hidden", "checkbox", "radio", "submit", "image", "button", "reset"})

NEVER = "the user said never"
"""Why a form is skipped that the user has forbidden by hand."""

NOFOLLOW = "its page says nofollow"
"""The only reason that holds just for the page where a form was found: another page may have the form, too."""


def judge_form(
    form: Form,
    *,
    allow_post: bool = False,
    post_hosts: Container[str] = (),
    nofollow: bool = False,
    model: FormModel | None = None,
) -> Verdict:
    """Say what a form is, and whether it is a search that may be submitted.

    POST is allowed to all hosts with `allow_post`, or else to `post_hosts`. If the button overrides the method or the address of the
    form (`formmethod`, `formaction`), the button's are judged. `nofollow` means that its page says that nothing on it may be followed. The form is classified by the weights of the package,
    or by `model`.
    """
    found = classify(form, model)
    button = button_to_press(form)
    sent = resolve_button(form, button)
    box = form.fields[found.query_box] if found.query_box is not None else None
    allow_post = allow_post or host(sent.action) in post_hosts
    refusals = find_refusals(
        form, button=button, query_box=box, allow_post=allow_post, probability=found.probability
    )
    if not found.searchable:
        refusals = (f"it seems to be {_name_of_kind(found.kind)}, not a search", *refusals)
    elif found.probability < (least := SURE_BY_POST if sent.method == "POST" else SURE):
        refusals = (f"that it searches is not sure enough ({found.probability:.2f} < {least})", *refusals)
    if nofollow:
        refusals = (*refusals, NOFOLLOW)
    return Verdict(
        may_submit=not refusals,
        kind=found.kind,
        searchable=found.searchable,
        probability=found.probability,
        query_box=found.query_box,
        button=form.fields.index(button) if button is not None else None,
        why=found.why,
        refusals=refusals,
    )


def overrule(verdict: Verdict, form: Form, by_hand: str, *, post_hosts: Container[str] = ()) -> Verdict:
    """Return a verdict as the user has overruled it for this form: "allow", "never", or not at all.

    The user can overrule everything but politeness: the kind of a form, its safety, and that it repeats another form or is one too many.
    POST still needs permission, and a form that goes to another site, that says nofollow or that only a script can send is still not submitted.
    """
    if by_hand == "never":
        return replace(verdict, may_submit=False, refusals=(NEVER, *verdict.refusals), by_hand=by_hand)
    if by_hand != "allow":
        return verdict
    button = form.fields[verdict.button] if verdict.button is not None else None
    allow_post = host(resolve_button(form, button).action) in post_hosts
    binding = {NOFOLLOW, *find_politeness_refusals(form, button, allow_post=allow_post)}
    refusals_left = tuple(why for why in verdict.refusals if why in binding)
    return replace(
        verdict,
        may_submit=not refusals_left,
        query_box=find_query_box(form, sure=True),
        refusals=refusals_left,
        by_hand=by_hand,
        overruled=tuple(why for why in verdict.refusals if why not in binding),
    )


def refuse_outside(form: Form, verdict: Verdict, scope: AddressScope) -> Verdict:
    """Return a verdict that also refuses a form whose address is not one that the crawl may request."""
    button = form.fields[verdict.button] if verdict.button is not None else None
    why = scope.reason_outside(form.template or resolve_button(form, button).action) if scope else ""
    if not why:
        return verdict
    return replace(verdict, may_submit=False, refusals=(*verdict.refusals, why))


def is_outside(verdict: Verdict) -> bool:
    """Say whether the address of a form is one reason against it."""
    return not set(OUTSIDE).isdisjoint(verdict.refusals)


def is_same_search(declared: Form, other: Form) -> bool:
    """Say whether a search that a page declares by the template of an address sends the same as a form sent by GET."""
    if other.template:
        return declared.template == other.template
    return not drop_repeats([declared], [other])


def repeats_form(later: Form, box: int | None, earlier: Form, earlier_box: int | None) -> bool:
    """Say whether a form sends nothing that an earlier one does not send, such as a search page that repeats the small box of every page.

    It goes to the same address with a box of the same name, has nothing to choose or to fill in that the earlier one lacks, and
    has no hidden values that the earlier one lacks, except flags and copies of the parameters of its page. Checkboxes only narrow the results.
    """
    if box is None or earlier_box is None or later.template or earlier.template:
        return False
    if (later.method, _place(later.action)) != (earlier.method, _place(earlier.action)):
        return False
    if later.fields[box].name != earlier.fields[earlier_box].name:
        return False
    if not _names_to_fill_in(later) <= _names_to_fill_in(earlier):
        return False
    hidden, hidden_earlier = _hidden_pairs(later), _hidden_pairs(earlier)
    copies = copied_names(later)
    hidden = {pair for pair in hidden if pair in hidden_earlier or pair[0] not in copies}
    others = {pair for pair in hidden - hidden_earlier if pair[1].casefold() not in _FLAGS}
    return hidden_earlier <= hidden and not others


def _place(address: str) -> str:
    return canonical_url(address.partition("?")[0])


def _names_to_fill_in(form: Form) -> set[str]:
    return {
        bare_name(field.name) for field in form.fields if field.name and field.kind not in _ONLY_NARROWING
    }


def _hidden_pairs(form: Form) -> set[tuple[str, str]]:
    return {(field.name, field.value) for field in form.fields if field.kind == "hidden" and field.name}


def _name_of_kind(kind: str) -> str:
    if kind in ("other", "search"):
        return "something else"
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind} form"
