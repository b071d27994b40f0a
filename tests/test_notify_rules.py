"""Who is notified of which changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from changes_to_report import NEWS, PRICE

from hiddenweb.notify.rules import BadRuleFile, NotificationRule, read_rule_file

if TYPE_CHECKING:
    from pathlib import Path

    from hiddenweb.revisit.change import Change


def rules_in(tmp_path: Path, text: str) -> tuple[NotificationRule, ...]:
    path = tmp_path / "rules.toml"
    path.write_text(text, encoding="utf-8")
    return read_rule_file(path)


def test_a_rule_file_is_read(tmp_path: Path) -> None:
    rules = rules_in(
        tmp_path,
        """
        [prices]
        site = "Shop.example"
        kind = ["record changed", "gone"]
        words = ["Last  Chance"]
        every = "30m"
        atom = "feeds/{site}.xml"
        webhook = "https://me.example/hook"
        [everything]
        apprise = "mailto://me@example.org"
        """,
    )

    assert rules == (
        NotificationRule(
            "prices",
            sites=("shop.example",),
            kinds=("record changed", "gone"),
            words=("last chance",),
            every=1800.0,
            atom=str(tmp_path / "feeds/{site}.xml"),
            webhook="https://me.example/hook",
        ),
        NotificationRule("everything", apprise="mailto://me@example.org"),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = 1", r"\[a\] is 1, wanted a table"),
        ("[a]", r"\[a\] notifies nobody, wanted one of atom, webhook, apprise"),
        ("[a]\natom = 'x'\nsites = ['y']", r"\[a\] has the key 'sites', wanted some of site, kind"),
        ("[a]\natom = 'x'\nsite = 3", r"\[a\] site is 3, wanted a list of texts"),
        ("[a]\natom = 'x'\nsite = []", r"\[a\] site is empty"),
        ("[a]\natom = 'x'\nwords = ['']", r"\[a\] words is \[''\], wanted a list of texts"),
        ("[a]\natom = 'x'\nsite = ['http://y']", r"\[a\] site has 'http://y', wanted a host"),
        ("[a]\natom = 'x'\nkind = ['changed']", r"\[a\] kind has 'changed', wanted some of 'new'"),
        ("[a]\natom = 'x'\nevery = 'often'", r"\[a\] every is 'often', wanted seconds, or a time"),
        ("[a]\natom = 'x'\nevery = true", r"\[a\] every is True"),
        ("[a]\natom = 7", r"\[a\] atom is 7, wanted the path"),
        ("[a]\natom = '{host}.xml'", r"\[a\] atom has '{host}', wanted {topic}, {site} or {query}"),
        ("[a]\natom = '{site!r}.xml'", r"\[a\] atom has '{site!r}'"),
        ("[a]\natom = 'x}.xml'", r"\[a\] atom has '}'"),
        ("[a]\nwebhook = 'ftp://x/'", r"\[a\] webhook is 'ftp://x/', wanted http://... or https://..."),
        ("[a]\nwebhook = 'https://'", r"\[a\] webhook is 'https://'"),
        ("[a]\nwebhook = 'https://[x/'", r"\[a\] webhook is"),
        ("[a]\napprise = 'me'", r"\[a\] apprise is 'me', wanted an address"),
        ("[a", r"is no TOML"),
    ],
)
def test_a_bad_rule_file_is_refused_with_file_rule_and_key(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(BadRuleFile, match=rf"rules\.toml: {message}"):
        rules_in(tmp_path, text)


def test_a_rule_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadRuleFile, match=r"none\.toml: cannot be read: No such file"):
        read_rule_file(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("rule", "wanted"),
    [
        (NotificationRule("all"), [PRICE, NEWS]),
        (NotificationRule("site", sites=("news.example",)), [NEWS]),  # and hosts below it
        (NotificationRule("site", sites=("ews.example",)), []),  # but not those with only the same ending
        (NotificationRule("kind", kinds=("record changed",)), [PRICE]),
        (NotificationRule("words", words=("last chance",)), [NEWS]),
        (NotificationRule("words", words=("price",)), [PRICE]),
        (NotificationRule("words", words=("las",)), []),  # whole words
        (NotificationRule("both", sites=("shop.example",), words=("sun",)), []),
    ],
)
def test_a_rule_reports_the_changes_that_it_describes(rule: NotificationRule, wanted: list[Change]) -> None:
    assert [change for change in (PRICE, NEWS) if rule.wants(change)] == wanted
