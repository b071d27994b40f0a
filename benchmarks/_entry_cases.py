"""Forms, and how they are submitted: the cases in which Chromium, ours and others are compared.

A case is a page with a form, what is filled in, and what a visitor does: clicks a button, presses Enter in a box, or has a
script call `form.submit()`, which counts no button and checks no constraints. What Chromium sent stands in
`entry_lists.json`. A name is a sentence about what is looked at; the reference is what Chromium did.

The cases follow the HTML standard's chapters on form submission: the form owner, what is disabled, constructing the entry
list, each type's value sanitisation, buttons and implicit submission, choosing an encoding, and the three encodings. In a
page, {origin} and {host} stand for the server's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Filled = Mapping[str, str | tuple[str, ...]]

HTML = "text/html; charset=utf-8"
DOCTYPE = "<!DOCTYPE html><title>A case</title>"


@dataclass(frozen=True, slots=True)
class Case:
    """A form, what is filled in, and how it is submitted; without `click` and `enter`, by `form.submit()`."""

    name: str
    html: str  # gets a doctype, unless it has one
    form: int | str = 0  # its place among the document's forms, or its id
    click: str = ""  # the id of the button; image buttons are clicked in their left upper corner
    enter: str = ""  # the id of the box
    filled: Filled = field(default_factory=dict)
    path: str = "/shop/page.html?from=start"
    content_type: str = HTML
    charset: str = "utf-8"  # in which the page is written, with references for what it lacks
    differs: str = ""  # why ours does something else, with the paragraph of the standard

    def body(self, origin: str) -> bytes:
        """Return the page as a server at that origin sends it."""
        html = self.html.replace("{origin}", origin).replace("{host}", origin.partition("://")[2])
        mark, html = ("\ufeff", html[1:]) if html.startswith("\ufeff") else ("", html)
        html = mark + ("" if html.startswith("<!DOCTYPE") else DOCTYPE) + html
        return html.encode(self.charset, "xmlcharrefreplace")


_OWNERS = (
    Case(
        "A control before its form belongs to it by the form attribute and comes first",
        "<input name=a value=1 form=f><form id=f action=/s><input name=b value=2></form>",
    ),
    Case(
        "A control after its form belongs to it by the form attribute and comes last",
        "<form id=f action=/s><input name=b value=2></form><p><input name=a value=1 form=f>",
    ),
    Case(
        "Controls around and inside a form are sent in the order of the tree",
        "<select name=x form=f><option>1</select><form id=f action=/s><input name=b value=2></form>"
        "<textarea name=y form=f>3</textarea><button form=f name=z value=4 id=go>Go</button>",
        click="go",
    ),
    Case(
        "A form attribute that names nothing takes the control out of the form around it",
        "<form action=/s><input name=a value=1 form=nowhere><input name=b value=2></form>",
    ),
    Case(
        "An empty form attribute takes the control out of the form around it",
        "<form action=/s><input name=a value=1 form=''><input name=b value=2></form>",
    ),
    Case(
        "A form attribute that names something else than a form takes the control out",
        "<div id=d></div><form action=/s><input name=a value=1 form=d><input name=b value=2></form>",
    ),
    Case(
        "Of two forms with the same id the first owns the control",
        "<form id=f action=/first><input name=a value=1></form><form id=f action=/second><input name=b value=2></form>"
        "<input name=c value=3 form=f>",
    ),
    Case(
        "The second form with an id used twice owns nothing by it",
        "<form id=f action=/first><input name=a value=1></form><form id=f action=/second><input name=b value=2></form>"
        "<input name=c value=3 form=f>",
        form=1,
    ),
    Case(
        "An element with the form's id before it takes its controls away",
        "<p id=f>x</p><form id=f action=/s><input name=b value=2></form><input name=c value=3 form=f>",
    ),
    Case(
        "The form attribute is compared with regard to case",
        "<form id=F action=/s><input name=b value=2></form><input name=c value=3 form=f>",
    ),
    Case(
        "The form attribute is not trimmed",
        "<form id=f action=/s><input name=b value=2></form><input name=c value=3 form=' f '>",
    ),
    Case(
        "A control inside one form may belong to another",
        "<form id=f action=/first><input name=a value=1></form>"
        "<form action=/second><input name=b value=2 form=f><input name=c value=3></form>",
        form="f",
    ),
    Case(
        "A control given away is not sent with the form around it",
        "<form id=f action=/first><input name=a value=1></form>"
        "<form action=/second><input name=b value=2 form=f><input name=c value=3></form>",
        form=1,
    ),
    Case(
        "A button outside submits the form that it names",
        "<form id=f action=/s><input name=a value=1></form><button form=f name=go value=2 id=go>Go</button>",
        click="go",
    ),
    Case(
        "A button inside one form may submit another",
        "<form id=f action=/first><input name=a value=1></form>"
        "<form action=/second><input name=b value=2><button form=f name=go value=3 id=go>Go</button></form>",
        form="f",
        click="go",
    ),
    Case(
        "A fieldset's form attribute does not move its controls",
        "<form id=f action=/s><input name=a value=1></form><fieldset form=f><input name=b value=2></fieldset>",
    ),
    Case(
        "A label's form attribute does not move its control",
        "<form id=f action=/s><input name=a value=1></form><label form=f>B <input name=b value=2></label>",
    ),
    Case(
        "The form attribute of an option counts for nothing",
        "<form action=/s><select name=a><option form=nowhere>1</select></form>",
    ),
)

_REPAIRED = (
    Case(
        "A form inside a form is ignored, and so is what it says",
        "<form action=/outer><input name=a value=1><form action=/inner method=post><input name=b value=2></form>"
        "<input name=c value=3></form>",
    ),
    Case(
        "After the end tag of an inner form, a third form starts anew",
        "<form action=/outer><input name=a value=1><form action=/inner><input name=b value=2></form>"
        "<form action=/third><input name=c value=3></form></form>",
        form=1,
    ),
    Case(
        "A form that is never closed owns all that follows",
        "<form action=/s><input name=a value=1><p>text<div><input name=b value=2></div>",
    ),
    Case(
        "A form closed inside another element owns what follows in that element",
        "<form action=/s><div><input name=a value=1></form><input name=b value=2></div><input name=c value=3>",
    ),
    Case(
        "A form opened in a div that ends before it does owns what follows",
        "<div><form action=/s><input name=a value=1></div><input name=b value=2></form><input name=c value=3>",
    ),
    Case(
        "A form as a child of a table is closed at once and still owns the cells' controls",
        "<table><form action=/s><tr><td><input name=a value=1></td><td><input name=b value=2></td></tr></form></table>"
        "<input name=c value=3>",
    ),
    Case(
        "A form between table rows owns the rows after it",
        "<table><tr><td><input name=a value=1></td></tr><form action=/s><tr><td><input name=b value=2></td></tr></form>"
        "</table>",
    ),
    Case(
        "A form between table cells owns the cells after it",
        "<table><tr><td><input name=a value=1></td><form action=/s><td><input name=b value=2></td>"
        "<td><button id=go name=go value=x>Go</button></td></form></tr></table>",
        click="go",
    ),
    Case(
        "A form around rows that is never closed owns what comes after the table",
        "<table><tr><form action=/s><td><input name=a value=1></td></tr></table><input name=b value=2>",
    ),
    Case(
        "Two forms that each wrap a row of a table",
        "<table><form action=/one><tr><td><input name=a value=1></td></tr></form>"
        "<form action=/two><tr><td><input name=b value=2></td></tr></form></table>",
        form=1,
    ),
    Case(
        "A second form start tag in a table is ignored while the first is open",
        "<table><form action=/one><tr><form action=/two><td><input name=a value=1></td></tr></table>",
    ),
    Case(
        "A hidden input straight in a table stays there and is sent",
        "<form action=/s><table><input type=hidden name=a value=1><tr><td><input name=b value=2></td></tr></table></form>",
    ),
    Case(
        "A text box straight in a table is moved before it and keeps its form",
        "<form action=/s><table><tr><td><input name=b value=2></td></tr><tr><input name=a value=1></tr></table></form>",
    ),
    Case(
        "A form end tag in a table cell does not end the form outside the table",
        "<form action=/s><table><tr><td><input name=a value=1></form></td><td><input name=b value=2></td></tr></table>"
        "<input name=c value=3>",
    ),
    Case(
        "A form in a paragraph ends the paragraph only",
        "<p>text<form action=/s><p><input name=a value=1></p><input name=b value=2></form>",
    ),
    Case(
        "A form in bold that is misnested keeps its controls",
        "<b><form action=/s><input name=a value=1></b><input name=b value=2></form><input name=c value=3>",
    ),
    Case(
        "A form in a template is no form of the document",
        "<template><form action=/template><input name=a value=1></form></template>"
        "<form action=/s><input name=b value=2></form>",
    ),
    Case(
        "Controls in a template inside a form are not sent",
        "<form action=/s><template><input name=a value=1></template><input name=b value=2></form>",
    ),
    Case(
        "A form start tag after a template with an unclosed form starts a form",
        "<template><form action=/template></template><form action=/s><input name=b value=2></form>",
    ),
    Case(
        "Controls in a datalist are sent, though the standard skips them",
        "<form action=/s><input name=b value=2 list=d><datalist id=d><option value=x><input name=a value=1>"
        "<select name=s><option>y</select></datalist></form>",
    ),
    Case(
        "A button in a datalist may be the default button",
        "<form action=/s><datalist><button name=no value=1>No</button></datalist><input name=a id=box value=2>"
        "<button name=yes value=3>Yes</button></form>",
        enter="box",
    ),
    Case(
        "What stands in noscript is text to a browser with scripts",
        "<form action=/s><noscript><input name=a value=1></noscript><input name=b value=2></form>",
    ),
    Case(
        "A whole form in noscript is not there",
        "<noscript><form action=/none><input name=a value=1></form></noscript><form action=/s><input name=b value=2></form>",
    ),
    Case(
        "What stands in an iframe, a style or a script is text",
        "<form action=/s><iframe><input name=a value=1></iframe><style><input name=b value=2></style>"
        "<script type=text/plain><input name=c value=3></script><input name=d value=4></form>",
    ),
    Case(
        "What stands in a comment is not there",
        "<form action=/s><!-- <input name=a value=1> --><input name=b value=2><!--><input name=c value=3></form>",
    ),
    Case(
        "An input inside svg is no control",
        "<form action=/s><svg><input name=a value=1></input></svg><input name=b value=2></form>",
    ),
    Case(
        "An input in a foreignObject is a control",
        "<form action=/s><svg><foreignObject><input name=a value=1></foreignObject></svg><input name=b value=2></form>",
    ),
    Case(
        "An input inside math is no control, in a text element of math it is",
        "<form action=/s><math><input name=a value=1></input><mtext><input name=b value=2></mtext></math>"
        "<input name=c value=3></form>",
    ),
    Case(
        "A div breaks out of svg, and its controls count",
        "<form action=/s><svg><g><div><input name=a value=1></div></g></svg><input name=b value=2></form>",
    ),
    Case(
        "An input in a select closes the select",
        "<form action=/s><select name=a><option>1<input name=b value=2></select><input name=c value=3></form>",
    ),
    Case(
        "A textarea in a select is a control, and its text part of the option's",
        "<form action=/s><select name=a><option>1<textarea name=b>2</textarea></select><input name=c value=3></form>",
    ),
    Case(
        "A select start tag inside a select closes it and opens none",
        "<form action=/s><select name=a><option>1<select name=b><option>2</select><input name=c value=3></form>",
    ),
    Case(
        "A form's end tag inside a select does not end the form",
        "<form action=/s><select name=a><option>1</form><input name=b value=2>",
    ),
    Case(
        "A textarea that is never closed takes in the rest of the page",
        "<form action=/s method=post><input name=b value=2><textarea name=a>1</form><p>rest",
    ),
    Case(
        "A button start tag inside a button closes the first",
        "<form action=/s><button name=a value=1>One<button name=b value=2 id=go>Two</button></button>"
        "<input name=c value=3></form>",
        click="go",
    ),
    Case(
        "Of an attribute given twice the first counts",
        "<form action=/s action=/t><input name=a name=b value=1 value=2></form>",
    ),
    Case(
        "Attribute and tag names may be in upper case, values unquoted",
        "<FORM ACTION=/s METHOD=POST><INPUT NAME=a VALUE=1><INPUT TYPE=HIDDEN NAME=b VALUE=2></FORM>",
    ),
    Case(
        "Character references in attributes are resolved, also half-written ones",
        "<form action='/s?a=1&amp;b=2' method=post><input name='x&amp;y' value='&lt;&#8364;&copy=1&copy;'></form>",
    ),
    Case(
        "A form after the end of the body is in the page",
        "<body><p>text</body></html><form action=/s><input name=a value=1></form>",
    ),
    Case(
        "Entities in an action are resolved before the address is",
        "<form action='/s&#63;x=1' method=post><input name=a value=1></form>",
    ),
    Case(
        "A form start tag inside a select inside a form is ignored",
        "<form action=/s><select name=a><option>1<form action=/t></select><input name=b value=2></form>",
    ),
    Case(
        "A form start tag inside a select starts a form that stays open",
        "<select name=a><option>1<form action=/t></select><form action=/s><input name=b value=2></form>",
    ),
    Case(
        "A button inside a select is no default button",
        "<form action=/s><input name=q value=x id=box><select name=a><button name=no value=1>x</button><option>1</select>"
        "<button name=b value=2>Go</button></form>",
        enter="box",
    ),
    Case(
        "Controls in what is shown instead of an object, a video or a canvas are sent",
        "<form action=/s><object><input name=a value=1></object><video><input name=b value=2></video>"
        "<canvas><input name=c value=3></canvas></form>",
    ),
    Case(
        "What stands in a title, an xmp, a noembed or noframes is text",
        "<title><form action=/t></title><form action=/s><xmp><input name=a value=1></xmp><noembed><input name=b value=2>"
        "</noembed><noframes><input name=c value=3></noframes><input name=d value=4></form>",
    ),
    Case(
        "Controls in a shadow tree do not belong to a form around it",
        "<form action=/s><div><template shadowrootmode=open><input name=a value=1></template></div>"
        "<input name=b value=2></form>",
    ),
    Case(
        "A form in the head is moved to the body",
        "<head><form action=/s><input name=a value=1></head><body><input name=b value=2></form>",
    ),
    Case(
        "An end tag of a form that is not open changes nothing",
        "</form><form action=/s><input name=a value=1></form></form><input name=c value=3>",
    ),
    Case(
        "A form that is closed by mistake before its controls owns none of them",
        "<form action=/s><input name=a value=1></form><input name=b value=2><button>Go</button>",
    ),
    Case(
        "A form opened in a table cell and closed in the next",
        "<table><tr><td><form action=/s><input name=a value=1></td><td><input name=b value=2></form></td>"
        "<td><input name=c value=3></td></tr></table>",
    ),
    Case(
        "A form opened in one row and closed after the table",
        "<table><tr><td><form action=/s><input name=a value=1></td></tr><tr><td><input name=b value=2></td></tr></table>"
        "<input name=c value=3></form><input name=d value=4>",
    ),
    Case(
        "A form straight in a tbody, with hidden inputs beside it",
        "<table><tbody><form action=/s><input type=hidden name=h value=0><tr><td><input name=a value=1></td></tr></form>"
        "<tr><td><input name=b value=2></td></tr></tbody></table>",
    ),
    Case(
        "A form in a list item that is closed by the next one",
        "<ul><li><form action=/s><input name=a value=1><li><input name=b value=2></ul><input name=c value=3></form>",
    ),
    Case(
        "A form in a link that is closed first",
        "<a href=/x><form action=/s><input name=a value=1></a><input name=b value=2></form><input name=c value=3>",
    ),
    Case(
        "A slash at the end of a tag changes nothing, unless it ends an unquoted value",
        "<form action=/s /><input name=a value=1 /><input name=b value=2/></form>",
    ),
    Case(
        "Half a tag at the end of the page is dropped",
        "<form action=/s><input name=a value=1><input name=b value=2",
    ),
    Case(
        "A form in a text element of math is a form",
        "<math><mi><form action=/s><input name=a value=1></form></mi></math><input name=b value=2>",
    ),
    Case(
        "A heading in a text element of math that is never closed",
        "<form action=/s><math><mi><h1><input name=a value=1><textarea name=b>2</textarea></h1><ul><li><input name=c value=3>",
    ),
    Case(
        "A form in a datalist is a form",
        "<datalist><form action=/s><input name=a value=1></form></datalist><input name=b value=2>",
    ),
    Case(
        "A form after a datalist that is never closed is a form",
        "<datalist><option value=x><p><form action=/s><input name=a value=1></form>",
    ),
    Case(
        "A select, a textarea and a button inside svg are no controls",
        "<form action=/s><svg><select name=a><option>1</option></select><textarea name=b>2</textarea>"
        "<button name=c value=3>x</button></svg><input name=d id=box value=4></form>",
        enter="box",
    ),
    Case(
        "A form inside svg is no form",
        "<svg><form action=/svg><input name=a value=1></form></svg><form action=/s><input name=b value=2></form>",
    ),
)

_DISABLED = (
    Case(
        "Disabled controls are not sent",
        "<form action=/s><input name=a value=1 disabled><textarea name=b disabled>2</textarea>"
        "<select name=c disabled><option>3</select><input type=checkbox name=d checked disabled>"
        "<input type=hidden name=e value=5 disabled><input name=f value=6></form>",
    ),
    Case(
        "disabled='false' disables all the same",
        "<form action=/s><input name=a value=1 disabled=false><input name=b value=2></form>",
    ),
    Case("Read-only controls are sent", "<form action=/s><input name=a value=1 readonly></form>"),
    Case(
        "A disabled fieldset disables all inside it",
        "<form action=/s><fieldset disabled><input name=a value=1><div><select name=b><option>2</select></div></fieldset>"
        "<input name=c value=3></form>",
    ),
    Case(
        "The first legend of a disabled fieldset is spared",
        "<form action=/s><fieldset disabled><legend><input name=a value=1></legend><input name=b value=2></fieldset>"
        "<input name=c value=3></form>",
    ),
    Case(
        "The second legend of a disabled fieldset is not spared",
        "<form action=/s><fieldset disabled><legend>x</legend><legend><input name=a value=1></legend></fieldset>"
        "<input name=c value=3></form>",
    ),
    Case(
        "A legend that is no child of the disabled fieldset is not spared",
        "<form action=/s><fieldset disabled><div><legend><input name=a value=1></legend></div></fieldset>"
        "<input name=c value=3></form>",
    ),
    Case(
        "The first legend is spared where other elements come before it",
        "<form action=/s><fieldset disabled><p>x</p><legend><input name=a value=1></legend></fieldset>"
        "<input name=c value=3></form>",
    ),
    Case(
        "A fieldset inside a disabled one is disabled too",
        "<form action=/s><fieldset disabled><fieldset><legend><input name=a value=1></legend><input name=b value=2>"
        "</fieldset></fieldset><input name=c value=3></form>",
    ),
    Case(
        "A disabled fieldset in the spared legend disables its own",
        "<form action=/s><fieldset disabled><legend><fieldset disabled><legend><input name=a value=1></legend>"
        "<input name=b value=2></fieldset><input name=d value=4></legend></fieldset><input name=c value=3></form>",
    ),
    Case(
        "A disabled fieldset outside the form disables what is in the form",
        "<fieldset disabled><form action=/s><input name=a value=1></form></fieldset>",
    ),
    Case(
        "A disabled fieldset disables controls of another form",
        "<form id=f action=/s><input name=c value=3></form><fieldset disabled><input name=a value=1 form=f></fieldset>",
    ),
    Case(
        "A disabled option that is selected is not sent",
        "<form action=/s><select name=a><option>1<option selected disabled>2</select><input name=b value=2></form>",
    ),
    Case(
        "An option in a disabled optgroup that is selected is not sent",
        "<form action=/s><select name=a><option>1<optgroup disabled label=x><option selected>2</optgroup></select>"
        "<input name=b value=2></form>",
    ),
    Case(
        "The first option that is not disabled stands in a select",
        "<form action=/s><select name=a><option disabled>1<option>2<option>3</select></form>",
    ),
    Case(
        "The first option outside a disabled optgroup stands in a select",
        "<form action=/s><select name=a><optgroup disabled label=x><option>1</optgroup><option>2</select></form>",
    ),
    Case(
        "A select with disabled options only sends nothing",
        "<form action=/s><select name=a><option disabled>1<option disabled>2</select><input name=b value=2></form>",
    ),
    Case(
        "Of several chosen options the disabled ones are left out",
        "<form action=/s><select name=a multiple><option selected>1<option selected disabled>2<option selected>3"
        "<optgroup disabled label=x><option selected>4</optgroup></select></form>",
    ),
    Case(
        "A disabled button may not be clicked",
        "<form action=/s><input name=a value=1><button id=go disabled name=b value=2>Go</button></form>",
        click="go",
    ),
    Case(
        "A button in a disabled fieldset may not be clicked",
        "<form action=/s><input name=a value=1><fieldset disabled><button id=go name=b value=2>Go</button></fieldset></form>",
        click="go",
    ),
    Case(
        "A disabled radio button that is checked is not sent",
        "<form action=/s><input type=radio name=a value=1 checked disabled><input type=radio name=a value=2>"
        "<input name=b value=2></form>",
    ),
    Case(
        "A disabled fieldset in a datalist disables its controls",
        "<form action=/s><datalist><fieldset disabled><input name=a value=1></fieldset></datalist><input name=b value=2></form>",
    ),
    Case(
        "A fieldset inside svg disables nothing",
        "<form action=/s><svg><fieldset disabled><foreignObject><input name=a value=1></foreignObject></fieldset></svg>"
        "<input name=b value=2></form>",
    ),
)

_CHECKED = (
    Case(
        "Checkboxes are sent when checked, with 'on' when they have no value",
        "<form action=/s><input type=checkbox name=a checked><input type=checkbox name=b>"
        "<input type=checkbox name=c value=x checked><input type=checkbox name=d value='' checked></form>",
    ),
    Case(
        "Checkboxes with one name are all sent",
        "<form action=/s><input type=checkbox name=a value=1 checked><input type=checkbox name=a value=2>"
        "<input type=checkbox name=a value=3 checked></form>",
    ),
    Case(
        "Of several checked radio buttons the last counts",
        "<form action=/s><input type=radio name=a value=1 checked><input type=radio name=a value=2 checked>"
        "<input type=radio name=a value=3></form>",
    ),
    Case(
        "A radio group with none checked is not sent",
        "<form action=/s><input type=radio name=a value=1><input type=radio name=a value=2><input name=b value=2></form>",
    ),
    Case(
        "A checked radio button without a value sends 'on'",
        "<form action=/s><input type=radio name=a checked></form>",
    ),
    Case(
        "Radio buttons without a name are not sent",
        "<form action=/s><input type=radio value=1 checked><input type=radio name='' value=2 checked>"
        "<input name=b value=2></form>",
    ),
    Case(
        "Radio groups of two forms do not touch",
        "<form action=/s><input type=radio name=a value=1 checked></form>"
        "<form action=/t><input type=radio name=a value=2 checked></form>",
    ),
    Case(
        "A radio button elsewhere joins the group by the form attribute",
        "<form id=f action=/s><input type=radio name=a value=1 checked></form>"
        "<input type=radio name=a value=2 checked form=f>",
    ),
    Case(
        "A radio button of no form is a group of its own",
        "<form action=/s><input type=radio name=a value=1 checked></form><input type=radio name=a value=2 checked>",
    ),
    Case(
        "Names of radio groups are compared with regard to case",
        "<form action=/s><input type=radio name=a value=1 checked><input type=radio name=A value=2 checked></form>",
    ),
    Case(
        "A disabled radio button takes the check from an enabled one",
        "<form action=/s><input type=radio name=a value=1 checked><input type=radio name=a value=2 checked disabled>"
        "<input name=b value=2></form>",
    ),
    Case(
        "Radio buttons and checkboxes of one name are not one group",
        "<form action=/s><input type=radio name=a value=1 checked><input type=checkbox name=a value=2 checked></form>",
    ),
    Case(
        "A visitor chooses another radio button",
        "<form action=/s><label><input type=radio name=a value=1 checked>1</label>"
        "<label><input type=radio name=a value=2>2</label></form>",
        filled={"a": "2"},
    ),
    Case(
        "A visitor checks two of three boxes",
        "<form action=/s><input type=checkbox name=a value=1 checked><input type=checkbox name=a value=2>"
        "<input type=checkbox name=a value=3></form>",
        filled={"a": ("2", "3")},
    ),
    Case(
        "A visitor clears the only checked box",
        "<form action=/s><input type=checkbox name=a value=1 checked><input name=b value=2></form>",
        filled={"a": ()},
    ),
    Case(
        "A visitor checks a box without a value",
        "<form action=/s><input type=checkbox name=a><input name=b value=2></form>",
        filled={"a": "on"},
    ),
)

_SELECTS = (
    Case(
        "The first option stands in a select of one line",
        "<form action=/s><select name=a><option value=1>One<option value=2>Two</select></form>",
    ),
    Case(
        "A select of several lines stands on nothing",
        "<form action=/s><select name=a size=3><option value=1>One<option value=2>Two</select><input name=b value=2></form>",
    ),
    Case(
        "A select with a size of 1 or of nonsense shows one line",
        "<form action=/s><select name=a size=1><option>1</select><select name=b size=x><option>2</select>"
        "<select name=c size=0><option>3</select><select name=d size=' 2'><option>4</select>"
        "<select name=e size=2x><option>5</select><select name=f size=-2><option>6</select></form>",
    ),
    Case(
        "Of several selected options the last counts",
        "<form action=/s><select name=a><option selected>1<option selected>2<option>3</select></form>",
    ),
    Case(
        "Of several selected options the last counts, though it be disabled",
        "<form action=/s><select name=a><option selected>1<option selected disabled>2</select><input name=b value=2></form>",
    ),
    Case(
        "A select of several choices sends all selected options in order",
        "<form action=/s><select name=a multiple><option>1<option selected>2<option selected>3</select></form>",
    ),
    Case(
        "A select of several choices stands on nothing",
        "<form action=/s><select name=a multiple><option>1<option>2</select><input name=b value=2></form>",
    ),
    Case(
        "A select without options sends nothing",
        "<form action=/s><select name=a></select><select name=c><optgroup label=x></optgroup></select>"
        "<input name=b value=2></form>",
    ),
    Case(
        "An option without a value sends its text, with white space collapsed",
        "<form action=/s><select name=a><option>  one \n\t two&#160;three  </select></form>",
    ),
    Case(
        "White space in an option's value is kept",
        "<form action=/s><select name=a><option value='  one  two '>x</select></form>",
    ),
    Case(
        "An empty value of an option is sent as it is",
        "<form action=/s><select name=a><option value=''>Please choose<option value=1>One</select></form>",
    ),
    Case(
        "The label of an option is not sent",
        "<form action=/s><select name=a><option label=shown>text</select>"
        "<select name=b><option label=shown></select></form>",
    ),
    Case(
        "Script in an option is not part of its text",
        "<form action=/s><select name=a><option>one<script>var x;</script> two</select></form>",
    ),
    Case(
        "Tags inside an option leave their text",
        "<form action=/s><select name=a><option>one <b>two</b> <i>three</i></select></form>",
    ),
    Case(
        "Options in optgroups count",
        "<form action=/s><select name=a><optgroup label=x><option>1<option selected>2</optgroup>"
        "<optgroup label=y><option>3</select></form>",
    ),
    Case(
        "An optgroup inside an optgroup closes the first",
        "<form action=/s><select name=a multiple><optgroup label=x disabled><option selected>1<optgroup label=y>"
        "<option selected>2</optgroup><option selected>3</optgroup></select></form>",
    ),
    Case(
        "A rule between options changes nothing",
        "<form action=/s><select name=a><option>1<hr><option selected>2<optgroup label=x><option>3<hr><option>4</select></form>",
    ),
    Case(
        "An option inside a div inside a select counts",
        "<form action=/s><select name=a><div><option>1</option><option selected>2</option></div></select></form>",
    ),
    Case(
        "Two selects of one name are both sent",
        "<form action=/s><select name=a><option>1</select><select name=a><option>2</select></form>",
    ),
    Case(
        "A visitor chooses an option",
        "<form action=/s><select name=a><option value=1>One<option value=2>Two<option value=3>Three</select></form>",
        filled={"a": "3"},
    ),
    Case(
        "A visitor chooses an option that has no value",
        "<form action=/s><select name=a><option>One<option>Two  words</select></form>",
        filled={"a": "Two words"},
    ),
    Case(
        "A visitor chooses several options",
        "<form action=/s><select name=a multiple size=4><option value=1 selected>One<option value=2>Two<option value=3>Three"
        "</select></form>",
        filled={"a": ("3", "2")},
    ),
    Case(
        "A visitor chooses nothing of several",
        "<form action=/s><select name=a multiple><option value=1 selected>One</select><input name=b value=2></form>",
        filled={"a": ()},
    ),
    Case(
        "An option outside any select is not sent",
        "<form action=/s><option name=a value=1 selected>x</option><input name=b value=2></form>",
    ),
    Case(
        "Of several selected options in a select of several lines the last counts",
        "<form action=/s><select name=a size=3><option selected>1<option selected>2<option>3</select></form>",
    ),
    Case(
        "A visitor chooses an option of an optgroup in a select that had none",
        "<form action=/s><select name=a size=4><optgroup label=x><option value=1>One<option value=2>Two</optgroup></select></form>",
        filled={"a": "2"},
    ),
    Case(
        "Comments and references inside an option",
        "<form action=/s><select name=a><option>a<!-- x -->b &amp; c</select></form>",
    ),
    Case(
        "An option's text of white space only is empty",
        "<form action=/s><select name=a><option> \n </select></form>",
    ),
    Case(
        "Options of a select in a table",
        "<form action=/s><table><tr><td><select name=a><option>1<option selected>2</td><td><input name=b value=2></table></form>",
    ),
)

_TEXTAREAS = (
    Case(
        "The first newline of a textarea is dropped",
        "<form action=/s method=post><textarea name=a>\none\ntwo\n</textarea></form>",
    ),
    Case(
        "Only the first of two newlines is dropped",
        "<form action=/s method=post><textarea name=a>\n\none</textarea></form>",
    ),
    Case(
        "CRLF, CR and LF in a textarea are all sent as CRLF",
        "<form action=/s method=post><textarea name=a>one\r\ntwo\rthree\nfour</textarea></form>",
    ),
    Case(
        "A carriage return written as a reference is a line break too",
        "<form action=/s method=post><textarea name=a>one&#13;two&#10;three&#13;&#10;four</textarea></form>",
    ),
    Case(
        "A first newline written as a reference is dropped as well",
        "<form action=/s method=post><textarea name=a>&#10;one</textarea></form>",
    ),
    Case(
        "Tags inside a textarea are text, references are resolved",
        "<form action=/s method=post><textarea name=a><b>one</b> &amp; <input name=x value=1></textarea></form>",
    ),
    Case(
        "The value attribute of a textarea counts for nothing",
        "<form action=/s><textarea name=a value=x></textarea></form>",
    ),
    Case(
        "White space in a textarea is kept",
        "<form action=/s method=post><textarea name=a>  one\t two  </textarea></form>",
    ),
    Case(
        "A textarea wrapped hard whose lines are short enough is sent as it is",
        "<form action=/s method=post><textarea name=a wrap=hard cols=30>one two\nthree</textarea></form>",
    ),
    Case(
        "A textarea wrapped hard gets line breaks between words",
        "<form action=/s method=post><textarea name=a wrap=hard cols=10>one two three four five six seven</textarea></form>",
    ),
    Case(
        "A textarea wrapped hard cuts a word that is longer than a line",
        "<form action=/s method=post><textarea name=a wrap=hard cols=10>abcdefghijklmnopqrstuvwxyz a</textarea></form>",
    ),
    Case(
        "A textarea wrapped hard may be as wide as the page is, or as one letter",
        "<form action=/s method=post><textarea name=a wrap=hard cols=80>"
        + "ab " * 60
        + "</textarea><textarea name=b wrap=hard cols=1>one two</textarea></form>",
    ),
    Case(
        "A textarea wrapped hard breaks words after hyphens and question marks, and before brackets",
        "<form action=/s method=post><textarea name=a wrap=hard cols=7>well-known 10-12 -5 who?what f.(x) 1-2-3-4-5-6</textarea></form>",
    ),
    Case(
        "A textarea wrapped hard lets white space stick out of a line",
        "<form action=/s method=post><textarea name=a wrap=hard cols=4>one      two\tthree\t\tfour \n five</textarea></form>",
    ),
    Case(
        "A textarea wrapped hard breaks Chinese and Japanese anywhere but before what closes",
        "<form action=/s method=post><textarea name=a wrap=hard cols=4>日本語の文字、です。「引用」です abc</textarea></form>",
    ),
    Case(
        "A textarea wrapped hard keeps accents with their letters",
        "<form action=/s method=post><textarea name=a wrap=hard cols=3>ae\u0301e\u0301e\u0301e\u0301o\u0308o\u0308</textarea></form>",
    ),
    Case(
        "A textarea wrapped softly or without a width gets no line breaks",
        "<form action=/s method=post><textarea name=a wrap=soft cols=5>one two three four five</textarea>"
        "<textarea name=b wrap=off cols=5>one two three four five</textarea></form>",
    ),
    Case(
        "A textarea keeps more than its maxlength if the page says so",
        "<form action=/s><textarea name=a maxlength=3>abcdef</textarea></form>",
    ),
    Case(
        "A visitor writes two lines into a textarea",
        "<form action=/s method=post><textarea name=a>old</textarea></form>",
        filled={"a": "one\ntwo"},
    ),
)

_TYPES = (
    Case("An input without a type is a text box", "<form action=/s><input name=a value=' 1 '></form>"),
    Case(
        "Unknown, padded and empty types make text boxes, upper case makes none",
        "<form action=/s><input type=foo name=a value=1><input type=' checkbox ' name=b value=2>"
        "<input type='' name=c value=3><input type=CheckBox name=d value=4><input type=HIDDEN name=e value=5></form>",
    ),
    Case(
        "Line breaks are taken out of boxes of one line",
        "<form action=/s><input name=a value='one&#10;two&#13;three\r\nfour\nfive'>"
        "<input type=search name=b value='one\ntwo'><input type=tel name=c value='1\n2'>"
        "<input type=password name=d value='x\ny'></form>",
    ),
    Case(
        "Line breaks in hidden inputs are kept, and sent as CRLF",
        "<form action=/s method=post><input type=hidden name=a value='one&#10;two&#13;three\r\nfour'></form>",
    ),
    Case(
        "Text, search, telephone and password boxes keep their white space",
        "<form action=/s><input name=a value=' x '><input type=search name=b value='\ty '>"
        "<input type=tel name=c value=' 1 '><input type=password name=d value=' p '></form>",
    ),
    Case(
        "An address box drops line breaks and the white space around",
        "<form action=/s><input type=url name=a value=' http://x\n/ y '><input type=email name=b value=' a@b\n.c '></form>",
    ),
    Case(
        "A box for several e-mail addresses trims each of them",
        "<form action=/s><input type=email multiple name=a value=' a@b.c ,  d@e.f,, g '></form>",
    ),
    Case(
        "Addresses that are none are sent by form.submit()",
        "<form action=/s><input type=url name=a value='no url'><input type=email name=b value='no mail'></form>",
    ),
    Case(
        "Valid numbers stand as they are written",
        "<form action=/s><input type=number name=a value=12><input type=number name=b value=-1.50>"
        "<input type=number name=c value=1e3><input type=number name=d value=.5><input type=number name=e value=007>"
        "<input type=number name=f value=-0></form>",
    ),
    Case(
        "What is no number becomes empty",
        "<form action=/s><input type=number name=a value=12x><input type=number name=b value=' 12'>"
        "<input type=number name=c value=+1><input type=number name=d value=1.><input type=number name=e value=1e999>"
        "<input type=number name=f value=NaN><input type=number name=g value=1,5><input type=number name=h value=0x10></form>",
    ),
    Case(
        "A number beyond its bounds stands as it is",
        "<form action=/s><input type=number name=a value=12 min=1 max=5><input type=number name=b value=2.5 step=1></form>",
    ),
    Case(
        "A range without a value stands in the middle",
        "<form action=/s><input type=range name=a><input type=range name=b min=10 max=20><input type=range name=c min=5>"
        "<input type=range name=d max=10></form>",
    ),
    Case(
        "A range is moved into its bounds",
        "<form action=/s><input type=range name=a value=200><input type=range name=b value=-5>"
        "<input type=range name=c min=10 max=20 value=5></form>",
    ),
    Case(
        "A range with its bounds the wrong way round stands on the lower one",
        "<form action=/s><input type=range name=a min=20 max=10 value=15><input type=range name=b min=200></form>",
    ),
    Case(
        "A range is moved to its nearest step",
        "<form action=/s><input type=range name=a min=0 value=13 step=5><input type=range name=b min=0 value=12.5 step=5>"
        "<input type=range name=c min=0 value=7.3><input type=range name=d min=1 max=10 step=4 value=10>"
        "<input type=range name=e min=0 max=1 step=0.25 value=0.3></form>",
    ),
    Case(
        "A range takes any number where its step is any",
        "<form action=/s><input type=range name=a value=7.35 step=any><input type=range name=b value=7.35 step=ANY></form>",
    ),
    Case(
        "A step that is none is the default step",
        "<form action=/s><input type=range name=a min=0 value=7.35 step=0><input type=range name=b min=0 value=7.35 step=x>"
        "<input type=range name=c min=0 value=7.35 step=-2></form>",
    ),
    Case(
        "A range whose value is no number stands in the middle, on a step",
        "<form action=/s><input type=range name=a value=x><input type=range name=b value='' min=0 max=15 step=10>"
        "<input type=range name=c value=x min=0 max=7></form>",
    ),
    Case(
        "Steps of a range are counted from its value where it has no minimum",
        "<form action=/s><input type=range name=a value=3 step=10><input type=range name=b min=x value=7 step=5></form>",
    ),
    Case(
        "Colours are read as in CSS, and what is none becomes black",
        "<form action=/s><input type=color name=a value=#ABCDEF><input type=color name=b><input type=color name=c value=red>"
        "<input type=color name=d value=#abc><input type=color name=e value='#12345g'></form>",
    ),
    Case(
        "A colour with white space around it",
        "<form action=/s><input type=color name=a value=' #abcdef '><input type=color name=b value='#abcdef80'></form>",
    ),
    Case(
        "Dates that are none become empty",
        "<form action=/s><input type=date name=a value=2024-02-29><input type=date name=b value=2023-02-29>"
        "<input type=date name=c value=24-01-01><input type=date name=d value=2024-1-1><input type=date name=e "
        "value='2024-01-01 '><input type=date name=f value=0000-01-01><input type=date name=g value=12024-01-01></form>",
    ),
    Case(
        "A date beyond its bounds stands as it is",
        "<form action=/s><input type=date name=a value=2024-02-29 min=2025-01-01 max=2025-02-01></form>",
    ),
    Case(
        "Times stand with or without seconds, and become empty when they are none",
        "<form action=/s><input type=time name=a value=23:59><input type=time name=b value=23:59:59>"
        "<input type=time name=c value=23:59:59.5><input type=time name=d value=24:00><input type=time name=e value=1:00>"
        "<input type=time name=f value=12:00:00.1234></form>",
    ),
    Case(
        "Times with seconds or fractions of nought",
        "<form action=/s><input type=time name=a value=12:30:00><input type=time name=b value=12:30:00.000>"
        "<input type=time name=c value=12:30:15.100></form>",
    ),
    Case(
        "A local date and time is written in its shortest way",
        "<form action=/s><input type=datetime-local name=a value='2024-02-29 12:30'>"
        "<input type=datetime-local name=b value=2024-02-29T12:30:00>"
        "<input type=datetime-local name=c value=2024-02-29T12:30:15.50></form>",
    ),
    Case(
        "What is no local date and time becomes empty",
        "<form action=/s><input type=datetime-local name=a value=2024-02-29>"
        "<input type=datetime-local name=b value=2024-02-29T12:30Z>"
        "<input type=datetime-local name=c value=2023-02-29T12:30><input type=datetime name=d value=x></form>",
    ),
    Case(
        "Months and weeks that are none become empty",
        "<form action=/s><input type=month name=a value=2024-12><input type=month name=b value=2024-13>"
        "<input type=week name=c value=2024-W52><input type=week name=d value=2024-W53><input type=week name=e "
        "value=2020-W53><input type=week name=f value=2024-w01><input type=month name=g value=2024-1></form>",
    ),
    Case(
        "Values longer than maxlength are sent whole",
        "<form action=/s><input name=a maxlength=3 value=abcdef></form>",
    ),
    Case(
        "An output, a meter and a progress bar are not sent",
        "<form action=/s><output name=a>1</output><meter name=b value=1>x</meter><progress name=c value=1></progress>"
        "<input name=d value=4></form>",
    ),
    Case(
        "An object, an image and an embed are not sent",
        "<form action=/s><object name=a></object><img name=b alt=x><embed name=c><input name=d value=4></form>",
    ),
    Case(
        "A keygen and a custom element are not sent",
        "<form action=/s><keygen name=a><x-box name=b value=2></x-box><input name=d value=4></form>",
    ),
    Case(
        "A fieldset and a label are not sent",
        "<form action=/s><fieldset name=a value=1><label name=b value=2>x</label></fieldset><input name=d value=4></form>",
    ),
    Case(
        "A custom element around controls changes nothing",
        "<form action=/s><x-box><input name=a value=1></x-box></form>",
    ),
    Case(
        "An input in a part that can be edited is sent",
        "<form action=/s><div contenteditable><input name=a value=1></div></form>",
    ),
    Case(
        "Controls that nobody sees are sent",
        "<form action=/s><div hidden><input name=a value=1></div><p style='display:none'><input name=b value=2></p>"
        "<details><summary>x</summary><input name=c value=3></details><div inert><input name=d value=4></div></form>",
    ),
    Case(
        "An empty file box sends an empty name, url-encoded",
        "<form action=/s method=post><input type=file name=a value=x.txt><input name=b value=2></form>",
    ),
    Case(
        "An empty file box sends an empty file, in parts",
        "<form action=/s method=post enctype=multipart/form-data><input type=file name=a><input name=b value=2></form>",
    ),
    Case(
        "An empty file box for several files sends one empty file",
        "<form action=/s method=post enctype=multipart/form-data><input type=file multiple name=a></form>",
    ),
    Case(
        "An empty file box as plain text",
        "<form action=/s method=post enctype=text/plain><input type=file name=a><input name=b value=2></form>",
    ),
    Case(
        "An empty file box in a query",
        "<form action=/s><input type=file name=a><input name=b value=2></form>",
    ),
    Case(
        "Boxes are filled in by a visitor",
        "<form action=/s><input name=q value=old><input type=number name=n min=1 max=9><input type=date name=d>"
        "<input name=kept value=1></form>",
        filled={"q": "new words", "n": "5", "d": "2024-05-06"},
    ),
    Case(
        "A visitor moves a range and picks a colour",
        "<form action=/s><input type=range name=a min=0 max=10><input type=color name=b></form>",
        filled={"a": "7", "b": "#00ff7f"},
    ),
    Case(
        "A visitor empties a box",
        "<form action=/s><input name=q value=old></form>",
        filled={"q": ""},
    ),
    Case(
        "Numbers and ranges below nought",
        "<form action=/s><input type=range name=a min=-100 max=-50><input type=range name=b min=-10 max=10 value=-3.2>"
        "<input type=number name=c value=-.5><input type=number name=d value=--1></form>",
    ),
    Case(
        "A range in tenths is not spoiled by binary fractions",
        "<form action=/s><input type=range name=a min=0 max=1 step=0.1 value=0.34>"
        "<input type=range name=b min=0 max=1 step=0.1 value=0.7><input type=range name=c min=0.1 max=0.9 step=0.2></form>",
    ),
    Case(
        "The host of an e-mail address is sent in ASCII",
        "<form action=/s><input type=email name=a value='x@bücher.example'></form>",
    ),
    Case(
        "The suggestions of a datalist are not sent",
        "<form action=/s><input name=a list=d><datalist id=d><option value=1><option value=2></datalist></form>",
    ),
    Case(
        "A visitor fills in a search box, an address and a telephone number",
        "<form action=/s><input type=search name=a><input type=url name=b><input type=tel name=c></form>",
        filled={"a": " green  tea ", "b": "http://example.org/ä", "c": "+44 1"},
    ),
    Case(
        "A visitor fills in a month, a week and a time",
        "<form action=/s><input type=month name=a><input type=week name=b><input type=time name=c></form>",
        filled={"a": "2024-05", "b": "2024-W07", "c": "07:30"},
    ),
    Case(
        "Days after the end of a browser's time become empty",
        "<form action=/s><input type=date name=a value=275760-09-13><input type=date name=b value=275760-09-14>"
        "<input type=month name=c value=275760-09><input type=month name=d value=275760-10>"
        "<input type=week name=e value=275760-W37><input type=week name=f value=275760-W38>"
        "<input type=datetime-local name=g value=275760-09-13T00:00>"
        "<input type=datetime-local name=h value=275760-09-13T00:01></form>",
    ),
    Case(
        "An e-mail address whose first part is of another script stands as it is",
        "<form action=/s><input type=email name=a value='ü@ü.example'></form>",
    ),
    Case(
        "Colours by name and by function",
        "<form action=/s><input type=color name=a value=RebeccaPurple><input type=color name=b value='rgb(1,2,3)'>"
        "<input type=color name=c value=transparent><input type=color name=d value='#1234'></form>",
    ),
    Case(
        "A range whose bounds are fractions",
        "<form action=/s><input type=range name=a min=5.3 max=12 value=6.7><input type=range name=b min=5.3 max=12 step=0.5 "
        "value=6.7><input type=range name=c min=0 max=7 step=2><input type=range name=d min=2 max=-3>"
        "<input type=range name=e min=ab max=f></form>",
    ),
)

_NAMES = (
    Case(
        "Controls without a name are not sent",
        "<form action=/s><input value=1><input name='' value=2><textarea>3</textarea><select><option>4</select>"
        "<input type=checkbox checked><input name=b value=2></form>",
    ),
    Case(
        "An id is no name",
        "<form action=/s><input id=a value=1><input name=b value=2></form>",
    ),
    Case(
        "Names with white space and special characters are encoded",
        "<form action=/s><input name=' a b ' value=1><input name='a[b]' value=2><input name='a&amp;b=c' value=3>"
        "<input name='a+b%20' value='~!@$()*-._'><input name='a;b' value='\"&lt;>&#39;'></form>",
    ),
    Case(
        "Line breaks in names and values become CRLF in a query",
        "<form action=/s><input type=hidden name='a&#10;b' value='c&#13;d'></form>",
    ),
    Case(
        "Line breaks and quotes in names become references in parts",
        "<form action=/s method=post enctype=multipart/form-data><input type=hidden name='a&#10;b&#13;c&#13;&#10;d' value=1>"
        "<input name='e\"f%22\\' value=2></form>",
    ),
    Case(
        "Line breaks in names become CRLF as plain text",
        "<form action=/s method=post enctype=text/plain><input type=hidden name='a&#10;b' value='c&#13;d'></form>",
    ),
    Case(
        "Control characters and spaces of other scripts are encoded",
        "<form action=/s><input name=a value='\t\x01\x7f&nbsp;&#x3000;&#x200b;'></form>",
    ),
    Case(
        "A NUL and half a surrogate pair become replacement characters",
        "<form action=/s><input name=a value='x&#0;y&#xd800;z'></form>",
    ),
    Case(
        "Characters beyond the first plane are encoded in four bytes",
        "<form action=/s><input name=a value='😀𠀀'></form>",
    ),
    Case(
        "A text box called isindex is nothing special",
        "<form action=/s><input name=isindex value=1><input name=b value=2></form>",
    ),
    Case(
        "The element isindex is no control",
        "<form action=/s><isindex name=a prompt=x><input name=b value=2></form>",
    ),
    Case(
        "Names used twice are sent twice",
        "<form action=/s><input name=a value=1><input name=a value=2><input type=hidden name=a value=1></form>",
    ),
    Case(
        "Controls named like properties of the form do no harm",
        "<form action=/s><input name=action value=1><input name=submit value=2><input name=method value=3>"
        "<input name=elements value=4></form>",
    ),
    Case(
        "A form without any entry is sent with an empty query",
        "<form action=/s><input value=1></form>",
    ),
    Case(
        "A form without any entry is posted with an empty body",
        "<form action=/s method=post><input value=1></form>",
    ),
    Case(
        "A form without any entry is posted in parts",
        "<form action=/s method=post enctype=multipart/form-data><input value=1></form>",
    ),
    Case(
        "A hidden _charset_ is filled in by the browser",
        "<form action=/s><input type=hidden name=_charset_><input name=a value=1></form>",
    ),
    Case(
        "A hidden _charset_ with a value is filled in as well",
        "<form action=/s><input type=hidden name=_charset_ value=x></form>",
    ),
    Case(
        "A hidden _charset_ in other letters",
        "<form action=/s><input type=hidden name=_CHARSET_ value=x><input type=hidden name=_Charset_></form>",
    ),
    Case(
        "A _charset_ that is not hidden is a text box",
        "<form action=/s><input name=_charset_ value=x></form>",
    ),
    Case(
        "A hidden _charset_ names the encoding of the page",
        "<form action=/s><input type=hidden name=_charset_></form>",
        content_type="text/html; charset=latin1",
    ),
    Case(
        "A hidden _charset_ names the encoding that is accepted",
        "<form action=/s accept-charset=sjis><input type=hidden name=_charset_></form>",
    ),
    Case(
        "A hidden _charset_ and an image button in parts",
        "<form action=/s method=post enctype=multipart/form-data accept-charset=windows-1251>"
        "<input type=hidden name=_charset_><input name=a value=я dirname=a.dir>"
        "<input type=image id=go name=pic src=/dot.gif width=20 height=20></form>",
        click="go",
    ),
    Case(
        "A hidden _charset_ that is disabled is not sent",
        "<form action=/s><input type=hidden name=_charset_ disabled><input name=a value=1></form>",
    ),
)

_DIRECTIONS = (
    Case(
        "Submit buttons that are not pressed send their direction",
        "<form action=/s><input type=submit name=a value=1 dirname=d><input type=submit name=b value='שלום' dirname=e dir=auto>"
        "<input type=submit value=1 dirname=f><input type=submit name=c value=1 dirname=g disabled>"
        "<input type=submit name=h value=1 dirname=''><input type=submit id=go name=i value=2></form>",
        click="go",
    ),
    Case(
        "A hidden control that names the encoding sends no direction",
        "<form action=/s><input type=hidden name=_charset_ dirname=d><input type=hidden name=_CHARSET_ value=q dirname=e></form>",
    ),
    Case(
        "A dirname sends the direction after its value",
        "<form action=/s><input name=a value=1 dirname=a.dir></form>",
    ),
    Case(
        "The direction is that of the element",
        "<form action=/s><input name=a value=1 dirname=a.dir dir=rtl><input name=b value=1 dirname=b.dir dir=ltr></form>",
    ),
    Case(
        "The direction is inherited",
        "<html dir=rtl><body><form action=/s><input name=a value=1 dirname=a.dir>"
        "<div dir=ltr><p dir=x><textarea name=b dirname=b.dir>2</textarea></p></div></form>",
    ),
    Case(
        "An automatic direction follows the first strong letter",
        "<form action=/s dir=rtl><input name=a value='12 שלום abc' dirname=a.dir dir=auto>"
        "<input name=b value='12 abc שלום' dirname=b.dir dir=auto><input name=c value='123' dirname=c.dir dir=auto>"
        "<input name=d value='' dirname=d.dir dir=auto></form>",
    ),
    Case(
        "An automatic direction of a textarea",
        "<form action=/s method=post><textarea name=a dirname=a.dir dir=auto>12\nمرحبا</textarea>"
        "<textarea name=b dirname=b.dir>مرحبا</textarea></form>",
    ),
    Case(
        "An empty dirname sends a direction without a name",
        "<form action=/s><input name=a value=1 dirname=''></form>",
    ),
    Case(
        "A telephone box is written from left to right, unless the page says otherwise",
        "<form action=/s dir=rtl><input type=tel name=a value=1 dirname=a.dir>"
        "<input type=tel dir=rtl name=b value=1 dirname=b.dir></form>",
    ),
    Case(
        "Search, url, e-mail and password boxes send their direction",
        "<form action=/s><input type=search name=a value=1 dirname=a.dir><input type=url name=b value=1 dirname=b.dir>"
        "<input type=email name=c value=1 dirname=c.dir><input type=password name=d value=1 dirname=d.dir></form>",
    ),
    Case(
        "Hidden inputs send their direction",
        "<form action=/s dir=rtl><input type=hidden name=a value=1 dirname=a.dir></form>",
    ),
    Case(
        "Numbers, dates, boxes to check and selects send no direction",
        "<form action=/s><input type=number name=a value=1 dirname=a.dir><input type=date name=b dirname=b.dir>"
        "<input type=checkbox checked name=c dirname=c.dir><select name=d dirname=d.dir><option>1</select></form>",
    ),
    Case(
        "A submit button sends its direction before its value",
        "<form action=/s dir=rtl><input type=submit name=a value=1 dirname=a.dir id=go></form>",
        click="go",
    ),
    Case(
        "A control without a name sends no direction",
        "<form action=/s><input value=1 dirname=a.dir><input name=b value=2></form>",
    ),
    Case(
        "What a visitor writes sets an automatic direction",
        "<form action=/s><input name=a value=abc dirname=a.dir dir=auto></form>",
        filled={"a": "שלום"},
    ),
    Case(
        "The direction of a part with an automatic direction is that of its text",
        "<form action=/s dir=auto><p>שלום <input name=a value=abc dirname=a.dir></p></form>",
    ),
    Case(
        "A bdi element has no direction of its own to report, though the standard gives it one",
        "<form action=/t><bdi>שלום <input name=b value=abc dirname=b.dir></bdi></form>",
    ),
    Case(
        "The direction of a control elsewhere is that of the place where it stands",
        "<form id=f action=/s dir=rtl><input name=a value=1></form><input form=f name=b value=2 dirname=b.dir>",
    ),
)

_BUTTONS = (
    Case(
        "Only the button that was clicked is sent",
        "<form action=/s><input type=submit name=a value=1><input name=q value=x><button id=go name=b value=2>Two</button>"
        "<input type=submit name=c value=3></form>",
        click="go",
    ),
    Case(
        "No button is sent by form.submit()",
        "<form action=/s><input type=submit name=a value=1><input name=q value=x><button name=b value=2>Two</button>"
        "<input type=image name=c></form>",
    ),
    Case(
        "A submit button without a value sends the word it shows",
        "<form action=/s><input name=q value=x><input type=submit name=a id=go></form>",
        click="go",
    ),
    Case(
        "A submit button with an empty value sends it",
        "<form action=/s><input name=q value=x><input type=submit name=a value='' id=go></form>",
        click="go",
    ),
    Case(
        "A button element sends its value, not its text",
        "<form action=/s><input name=q value=x><button name=a id=go>Text</button></form>",
        click="go",
    ),
    Case(
        "A button without a name adds nothing",
        "<form action=/s><input name=q value=x><button value=1 id=go>Go</button></form>",
        click="go",
    ),
    Case(
        "A button of an unknown type submits",
        "<form action=/s><input name=q value=x><button type=foo name=a value=1 id=go>Go</button></form>",
        click="go",
    ),
    Case(
        "A button with an empty type or in upper case submits",
        "<form action=/s><button type='' name=b value=2>No</button><button type=SUBMIT name=a value=1 id=go>Go</button></form>",
        click="go",
    ),
    Case(
        "A button of the type button sends nothing",
        "<form action=/s><input name=q value=x><button type=button name=a value=1 id=go>Go</button></form>",
        click="go",
    ),
    Case(
        "An input of the type button sends nothing",
        "<form action=/s><input name=q value=x><input type=button name=a value=1 id=go></form>",
        click="go",
    ),
    Case(
        "A reset button sends nothing",
        "<form action=/s><input name=q value=x><input type=reset name=a value=1 id=go></form>",
        click="go",
    ),
    Case(
        "Buttons that do not submit are never sent",
        "<form action=/s><input type=button name=a value=1><input type=reset name=b value=2><button type=reset name=c "
        "value=3>x</button><button type=button name=d value=4>x</button><input name=q value=x></form>",
    ),
    Case(
        "The clicked button stands at its place among the others",
        "<form action=/s><input name=a value=1><button name=b value=2 id=go>Go</button><input name=c value=3></form>",
        click="go",
    ),
    Case(
        "A hidden input of the button's name is sent as well",
        "<form action=/s><input type=hidden name=b value=0><button name=b value=1 id=go>Go</button></form>",
        click="go",
    ),
    Case(
        "An image button sends where it was clicked",
        "<form action=/s><input name=q value=x><input type=image id=go src=/dot.gif width=20 height=20></form>",
        click="go",
    ),
    Case(
        "An image button with a name sends where it was clicked under its name",
        "<form action=/s><input name=q value=x><input type=image id=go name=pic src=/dot.gif width=20 height=20></form>",
        click="go",
    ),
    Case(
        "The value of an image button is not sent",
        "<form action=/s method=post><input type=image id=go name=pic value=v src=/dot.gif width=20 height=20>"
        "<input name=q value=x></form>",
        click="go",
    ),
    Case(
        "An image button with an empty name sends x and y",
        "<form action=/s><input type=image id=go name='' value=v src=/dot.gif width=20 height=20></form>",
        click="go",
    ),
    Case(
        "An image button that is not clicked is not sent",
        "<form action=/s><input type=image name=pic value=v src=/dot.gif width=20 height=20><input name=q value=x>"
        "<button id=go>Go</button></form>",
        click="go",
    ),
    Case(
        "An image button without an image works as well",
        "<form action=/s><input type=image id=go name=pic alt='A button'><input name=q value=x></form>",
        click="go",
    ),
    Case(
        "An image button that is the default one is clicked at its origin by Enter",
        "<form action=/s><input name=q value=x id=box><input type=image name=pic src=/dot.gif width=20 height=20></form>",
        enter="box",
    ),
    Case(
        "A button in the middle of a table that was repaired",
        "<table><form action=/s><tr><td><input name=a value=1><td><button id=go name=b value=2>Go</button></tr></form></table>",
        click="go",
    ),
)

_IMPLICIT = (
    Case(
        "Enter counts the first submit button",
        "<form action=/s><input name=q value=x id=box><button type=button name=n value=0>No</button>"
        "<input type=submit name=a value=1><button name=b value=2>Two</button></form>",
        enter="box",
    ),
    Case(
        "Enter counts the first submit button in the tree, also before the box",
        "<form action=/s><button name=b value=2>Two</button><input name=q value=x id=box><input type=submit name=a value=1>"
        "</form>",
        enter="box",
    ),
    Case(
        "Enter counts a button outside that belongs to the form and comes first",
        "<button form=f name=out value=0>Out</button><form id=f action=/s><input name=q value=x id=box>"
        "<input type=submit name=a value=1></form>",
        enter="box",
    ),
    Case(
        "Enter sends nothing where the first submit button is disabled",
        "<form action=/s><input name=q value=x id=box><input type=submit name=a value=1 disabled>"
        "<button name=b value=2>Two</button></form>",
        enter="box",
    ),
    Case(
        "Enter sends nothing where the first submit button is in a disabled fieldset",
        "<form action=/s><input name=q value=x id=box><fieldset disabled><input type=submit name=a value=1></fieldset></form>",
        enter="box",
    ),
    Case(
        "Enter in the only box of a form without buttons sends it",
        "<form action=/s><input name=q value=x id=box></form>",
        enter="box",
    ),
    Case(
        "Enter in one of two boxes of a form without buttons sends nothing",
        "<form action=/s><input name=q value=x id=box><input name=r value=y></form>",
        enter="box",
    ),
    Case(
        "Enter sends a form without buttons whose other controls do not block it",
        "<form action=/s><input name=q value=x id=box><input type=hidden name=h value=1><input type=checkbox name=c checked>"
        "<select name=s><option>1</select><textarea name=t>2</textarea><input type=range name=r></form>",
        enter="box",
    ),
    Case(
        "Enter in a box beside a password box without buttons sends nothing",
        "<form action=/s><input name=q value=x id=box><input type=password name=p value=y></form>",
        enter="box",
    ),
    Case(
        "Enter in a box beside a number box without buttons sends nothing",
        "<form action=/s><input name=q value=x id=box><input type=number name=n value=1></form>",
        enter="box",
    ),
    Case(
        "A box without a name blocks Enter as well",
        "<form action=/s><input name=q value=x id=box><input></form>",
        enter="box",
    ),
    Case(
        "A disabled box blocks Enter as well",
        "<form action=/s><input name=q value=x id=box><input name=r value=y disabled></form>",
        enter="box",
    ),
    Case(
        "Buttons that do not submit are no default button",
        "<form action=/s><input name=q value=x id=box><input name=r value=y><button type=button>No</button></form>",
        enter="box",
    ),
    Case(
        "A default button that nobody sees counts all the same",
        "<form action=/s><input name=q value=x id=box><div style='display:none'><button name=b value=2>Two</button></div>"
        "</form>",
        enter="box",
    ),
    Case(
        "Enter in a number box",
        "<form action=/s><input type=number name=n id=box value=3><button name=b value=2>Two</button></form>",
        enter="box",
    ),
    Case(
        "Enter in a search box of a form with a query box only and a visitor's words",
        "<form action=/s role=search><input type=search name=q id=box></form>",
        enter="box",
        filled={"q": "green tea"},
    ),
    Case(
        "Enter in a box outside the form that it belongs to",
        "<form id=f action=/s><button name=b value=2>Two</button></form><input form=f name=q value=x id=box>",
        enter="box",
    ),
    Case(
        "Enter uses the default button's own address and method",
        "<form action=/s><input name=q value=x id=box><button formaction=/other formmethod=post name=b value=2>Two</button>"
        "</form>",
        enter="box",
    ),
    Case(
        "A button that commands another element is no default button",
        "<form action=/s><input name=q value=x id=box><button commandfor=d command=show-modal name=a value=1>Show</button>"
        "<button name=b value=2>Go</button></form><dialog id=d>x</dialog>",
        enter="box",
    ),
    Case(
        "A submit button that shows a popover submits",
        "<form action=/s><input name=q value=x><button popovertarget=d name=a value=1 id=go>Go</button></form>"
        "<div popover id=d>x</div>",
        click="go",
    ),
    Case(
        "Enter on a checkbox sends the form",
        "<form action=/s><input type=checkbox name=c id=box checked><button name=b value=2>Go</button></form>",
        enter="box",
    ),
    Case(
        "Enter skips a disabled button that does not submit",
        "<form action=/s><input name=q value=x id=box><button type=button disabled>No</button><button name=b value=2>Go"
        "</button></form>",
        enter="box",
    ),
    Case(
        "Enter in a form with an unnamed default button",
        "<form action=/s><input name=q value=x id=box><input type=submit value=Search></form>",
        enter="box",
        filled={"q": "ünï cödé"},
    ),
    Case(
        "Enter in the search form of one site among others",
        "<form action=/login method=post><input name=user><input type=password name=p><button>Log in</button></form>"
        "<form action=/find><input type=hidden name=lang value=en><input name=q id=box><select name=in><option value=all>All"
        "<option value=t>Titles</select><button type=submit name=go value=1>Search</button></form>",
        form=1,
        enter="box",
        filled={"q": "sea", "in": "t"},
    ),
)

_WHERE = (
    Case("A form without an action is sent to the page", "<form><input name=a value=1></form>"),
    Case("A form with an empty action is sent to the page", "<form action=''><input name=a value=1></form>"),
    Case(
        "A posted form with an empty action keeps the page's query",
        "<form action='' method=post><input name=a value=1></form>",
    ),
    Case(
        "A form without an action under a base is sent to the page, not to the base",
        "<base href=/other/dir/><form><input name=a value=1></form>",
    ),
    Case(
        "A form with an empty action under a base is sent to the page, not to the base",
        "<base href=/other/dir/><form action='' method=post><input name=a value=1></form>",
    ),
    Case(
        "A relative action is resolved against the page",
        "<form action=find.cgi><input name=a value=1></form>",
    ),
    Case("An action of dots is resolved", "<form action=../x/./y/../find><input name=a value=1></form>"),
    Case(
        "An action that is only a query replaces the page's",
        "<form action='?x=1' method=post><input name=a value=1></form>",
    ),
    Case(
        "An action that is only a fragment", "<form action='#top' method=post><input name=a value=1></form>"
    ),
    Case(
        "The query of the action gives way to the entries",
        "<form action='/s?x=1&y=2'><input name=a value=1></form>",
    ),
    Case(
        "The fragment of the action is not sent", "<form action='/s?x=1#frag'><input name=a value=1></form>"
    ),
    Case(
        "A posted form keeps the action's query",
        "<form action='/s?x=1#f' method=post><input name=a value=1></form>",
    ),
    Case("White space around an action is dropped", "<form action=' \n/s\t '><input name=a value=1></form>"),
    Case(
        "An action of white space only is sent to the page",
        "<form action='  ' method=post><input name=a value=1></form>",
    ),
    Case(
        "Spaces inside an action are encoded, line breaks taken out",
        "<form action='/a b/c\nd' method=post><input name=a value=1></form>",
    ),
    Case(
        "Backslashes in an action are slashes",
        "<form action='\\a\\b' method=post><input name=a value=1></form>",
    ),
    Case(
        "Letters of other scripts in an action's path are sent as UTF-8",
        "<form action='/straße/日本' method=post><input name=a value=1></form>",
        content_type="text/html; charset=windows-1252",
        charset="cp1252",
    ),
    Case(
        "Letters of other scripts in an action's query are sent in the page's encoding",
        "<form action='/s?x=ü' method=post><input name=a value=ü></form>",
        content_type="text/html; charset=windows-1252",
        charset="cp1252",
    ),
    Case(
        "Special characters in an action's path and query are encoded as addresses are",
        "<form action='/a\"b<c>|{x}^?d=\"e<f>|{y}^&#39;' method=post><input name=a value=1></form>",
    ),
    Case("An absolute action", "<form action='{origin}/abs?x=1'><input name=a value=1></form>"),
    Case("An action with a host and no scheme", "<form action='//{host}/abs'><input name=a value=1></form>"),
    Case(
        "An action with the page's scheme and a relative path",
        "<form action='http:rel'><input name=a value=1></form>",
    ),
    Case(
        "An action that is a script sends nothing",
        "<form action='javascript:void(0)'><input name=a value=1><button id=go>Go</button></form>",
        click="go",
    ),
    Case(
        "A relative base is resolved against the page",
        "<base href=dir/other.html><form action=find><input name=a value=1></form>",
    ),
    Case("An absolute base", "<base href='{origin}/base/x'><form action=find><input name=a value=1></form>"),
    Case(
        "Of two bases the first counts",
        "<base href=/one/><base href=/two/><form action=find><input name=a value=1></form>",
    ),
    Case(
        "A base without an address leaves the place to the next",
        "<base target=_self><base href=/two/><form action=find><input name=a value=1></form>",
    ),
    Case(
        "A base in the body counts",
        "<body><p>text<base href=/body/><form action=find><input name=a value=1></form>",
    ),
    Case(
        "A base after the form counts",
        "<form action=find><input name=a value=1></form><base href=/late/>",
    ),
    Case(
        "A base with an empty address is the page",
        "<base href=''><base href=/two/><form action=find><input name=a value=1></form>",
    ),
    Case(
        "A base that is a script or data is ignored, and the second one too",
        "<base href='data:/x'><base href=/two/><form action=find><input name=a value=1></form>",
    ),
    Case(
        "A base in a template or in svg does not count",
        "<template><base href=/t/></template><svg><base href=/svg/></svg><form action=find><input name=a value=1></form>",
    ),
    Case("The method may be in upper case", "<form action=/s method=POST><input name=a value=1></form>"),
    Case(
        "A method that is unknown or padded is GET",
        "<form action=/s method=' post'><input name=a value=1></form>",
    ),
    Case("The methods PUT and DELETE are GET", "<form action=/s method=put><input name=a value=1></form>"),
    Case(
        "The method dialog sends nothing",
        "<form action=/s method=dialog><input name=a value=1><button id=go>Go</button></form>",
        click="go",
    ),
    Case(
        "The method dialog inside a dialog sends nothing",
        "<dialog open><form action=/s method=Dialog><input name=a value=1><button id=go>Go</button></form></dialog>",
        click="go",
    ),
    Case(
        "A button's own address and encoding go before the form's",
        "<form action=/s method=post><input name=a value=1><button id=go formaction=/other?x=1 "
        "formenctype=text/plain>Go</button></form>",
        click="go",
    ),
    Case(
        "A button's method GET goes before the form's POST",
        "<form action='/s?x=1' method=post enctype=text/plain><input name=a value=1>"
        "<button id=go formmethod=GET>Go</button></form>",
        click="go",
    ),
    Case(
        "A button's method POST goes before the form's GET",
        "<form action='/s?x=1'><input name=a value=1><input type=submit id=go formmethod=Post></form>",
        click="go",
    ),
    Case(
        "form.submit() knows nothing of a button's own address",
        "<form action=/s><input name=a value=1><button formaction=/other formmethod=post>Go</button></form>",
    ),
    Case(
        "A button's empty address is the page's",
        "<form action=/s><input name=a value=1><button id=go formaction=''>Go</button></form>",
        click="go",
    ),
    Case(
        "A button's address is resolved against the base",
        "<base href=/base/><form action=/s><input name=a value=1><input type=submit id=go formaction=there></form>",
        click="go",
    ),
    Case(
        "A button's unknown method is GET",
        "<form action=/s method=post><input name=a value=1><button id=go formmethod=foo>Go</button></form>",
        click="go",
    ),
    Case(
        "A button's empty method is GET",
        "<form action=/s method=post><input name=a value=1><button id=go formmethod=''>Go</button></form>",
        click="go",
    ),
    Case(
        "A button's method dialog sends nothing",
        "<form action=/s method=post><input name=a value=1><button id=go formmethod=dialog>Go</button></form>",
        click="go",
    ),
    Case(
        "A button's method sends a form with the method dialog",
        "<form action=/s method=dialog><input name=a value=1><button id=go formmethod=get>Go</button></form>",
        click="go",
    ),
    Case(
        "A button's unknown encoding is url-encoding",
        "<form action=/s method=post enctype=multipart/form-data><input name=a value=1>"
        "<button id=go formenctype=foo>Go</button></form>",
        click="go",
    ),
    Case(
        "A button's encoding in parts",
        "<form action=/s method=post><input name=a value=1><input type=submit name=b value=2 id=go "
        "formenctype=multipart/form-data></form>",
        click="go",
    ),
    Case(
        "An image button's own address and method",
        "<form action=/s><input name=a value=1><input type=image id=go name=pic src=/dot.gif width=20 height=20 "
        "formaction=/other formmethod=post></form>",
        click="go",
    ),
    Case(
        "A button that checks nothing sends what is required and missing",
        "<form action=/s><input name=a required><input type=email name=b value=x><button id=go formnovalidate>Go</button></form>",
        click="go",
    ),
    Case(
        "A form that checks nothing is sent as it is",
        "<form action=/s novalidate><input name=a required><input name=b pattern=x value=y><button id=go>Go</button></form>",
        click="go",
    ),
    Case(
        "form.submit() sends what is required and missing",
        "<form action=/s><input name=a required><select name=b required><option value=''>choose</select></form>",
    ),
    Case(
        "What is required and filled in is sent by a click",
        "<form action=/s><input name=a required><input type=email name=b><button id=go>Go</button></form>",
        click="go",
        filled={"a": "1", "b": "x@example.org"},
    ),
    Case(
        "A query alone is resolved against the base",
        "<base href='/base/x?y=1'><form action='?z=2' method=post><input name=a value=1></form>",
    ),
    Case(
        "A fragment alone is resolved against the base",
        "<base href='/base/x?y=1'><form action='#f' method=post><input name=a value=1></form>",
    ),
    Case(
        "A page at the root of its site",
        "<form action=find><input name=a value=1></form>",
        path="/",
    ),
    Case(
        "A page whose address is encoded",
        "<form action=x%20y/~z method=post><input name=a value=1></form>",
        path="/caf%C3%A9/b%2Fc/page;v=1?q=%E9",
    ),
    Case(
        "An empty action on a page whose address has a strange query",
        "<form method=post><input name=a value=1></form>",
        path="/p?x=%E9&y=a+b&&=",
    ),
    Case(
        "Escaped and half-escaped bytes in an action stay as they are",
        "<form action='/a%2fb%zz%?x=%e9%' method=post><input name=a value=1></form>",
    ),
    Case(
        "A question mark at the end of an action goes with its query",
        "<form action='/s?'><input name=a value=1></form>",
    ),
    Case(
        "A posted form keeps an empty query",
        "<form action='/s?' method=post><input name=a value=1></form>",
    ),
    Case(
        "A button's address of white space is the page's",
        "<form action=/s><input name=a value=1><button id=go formaction=' '>Go</button></form>",
        click="go",
    ),
)

_ENCODINGS = (
    Case(
        "A query is url-encoded, whatever the encoding type",
        "<form action=/s enctype=multipart/form-data><input name=a value='1 2'></form>",
    ),
    Case(
        "A form is posted url-encoded",
        "<form action=/s method=post><input name=a value='1 2&amp;3=4'><input name=b value='é€'></form>",
    ),
    Case(
        "A form is posted in parts",
        "<form action=/s method=post enctype=multipart/form-data><input name=a value='1 2&amp;3=4'><input name=é value='é€'>"
        "<textarea name=t>one\ntwo</textarea></form>",
    ),
    Case(
        "A form is posted as plain text",
        "<form action=/s method=post enctype=text/plain><input name=a value='1 2&amp;3=4'><input name=b value='é€'>"
        "<textarea name=t>one\ntwo</textarea></form>",
    ),
    Case(
        "The encoding type may be in upper case",
        "<form action=/s method=post enctype=MultiPart/Form-Data><input name=a value=1></form>",
    ),
    Case(
        "An encoding type that is unknown or padded is url-encoding",
        "<form action=/s method=post enctype=application/json><input name=a value=1></form>",
    ),
    Case(
        "An encoding type with parameters is url-encoding",
        "<form action=/s method=post enctype='text/plain; charset=utf-8'><input name=a value=1></form>",
    ),
    Case(
        "The attribute encoding is no encoding type",
        "<form action=/s method=post encoding=text/plain><input name=a value=1></form>",
    ),
    Case(
        "Windows-1252 is sent in its bytes, with references for what it lacks",
        "<form action=/s><input name=a value='é€“x”ő日😀'></form>",
        content_type="text/html; charset=windows-1252",
        charset="cp1252",
    ),
    Case(
        "ISO-8859-1 is Windows-1252",
        "<form action=/s method=post><input name=a value='é€'></form>",
        content_type="text/html; charset=ISO-8859-1",
        charset="cp1252",
    ),
    Case(
        "ASCII is Windows-1252",
        "<form action=/s><input name=a value='&eacute;&euro;'><input type=hidden name=_charset_></form>",
        content_type="text/html; charset=us-ascii",
    ),
    Case(
        "ISO-8859-9 is Windows-1254",
        "<form action=/s><input name=a value='ığş€'><input type=hidden name=_charset_></form>",
        content_type="text/html; charset=iso-8859-9",
        charset="cp1254",
    ),
    Case(
        "ISO-8859-2",
        "<form action=/s><input name=a value='łőć€é'><input type=hidden name=_charset_></form>",
        content_type="text/html; charset=iso-8859-2",
        charset="iso8859-2",
    ),
    Case(
        "ISO-8859-15 has the euro sign",
        "<form action=/s><input name=a value='€é'><input type=hidden name=_charset_></form>",
        content_type="text/html; charset=iso-8859-15",
        charset="iso8859-15",
    ),
    Case(
        "Windows-1250",
        "<form action=/s><input name=a value='łőć€é'><input type=hidden name=_charset_></form>",
        content_type="text/html; charset=windows-1250",
        charset="cp1250",
    ),
    Case(
        "Windows-1251",
        "<form action=/s><input name=a value='поиск é'><input type=hidden name=_charset_></form>",
        content_type="text/html; charset=windows-1251",
        charset="cp1251",
    ),
    Case(
        "KOI8-R",
        "<form action=/s><input name=a value='поиск é'><input type=hidden name=_charset_></form>",
        content_type="text/html; charset=koi8-r",
        charset="koi8-r",
    ),
    Case(
        "Windows-1256, written from right to left",
        "<html dir=rtl><body><form action=/s><input name=a value='بحث' dirname=d></form>",
        content_type="text/html; charset=windows-1256",
        charset="cp1256",
    ),
    Case(
        "Shift_JIS, with half-width letters and what only Windows has",
        "<form action=/s><input name=a value='日本語ｶﾅ①～\\é'><input type=hidden name=_charset_></form>",
        content_type="text/html; charset=shift_jis",
        charset="cp932",
    ),
    Case(
        "EUC-JP",
        "<form action=/s><input name=a value='日本語ｶﾅ①～é'><input type=hidden name=_charset_></form>",
        content_type="text/html; charset=euc-jp",
        charset="euc-jp",
    ),
    Case(
        "ISO-2022-JP goes back to ASCII at the end of each value",
        "<form action=/s><input name=a value='日本 x'><input name=b value=é></form>",
        content_type="text/html; charset=iso-2022-jp",
        charset="iso2022-jp",
    ),
    Case(
        "EUC-KR, with letters that only Windows has",
        "<form action=/s><input name=a value='검색 똠 é'><input type=hidden name=_charset_></form>",
        content_type="text/html; charset=euc-kr",
        charset="cp949",
    ),
    Case(
        "GB18030 lacks nothing",
        "<form action=/s><input name=a value='搜索€é😀'><input type=hidden name=_charset_></form>",
        content_type="text/html; charset=gb18030",
        charset="gb18030",
    ),
    Case(
        "GBK has an euro sign of one byte and lacks what takes four",
        "<form action=/s><input name=a value='搜索&euro;é😀'><input type=hidden name=_charset_></form>",
        content_type="text/html; charset=gbk",
        charset="gbk",
    ),
    Case(
        "GB2312 is GBK",
        "<form action=/s><input name=a value='搜索丂'><input type=hidden name=_charset_></form>",
        content_type="text/html; charset=gb2312",
        charset="gbk",
    ),
    Case(
        "Big5 lacks the letters of Hong Kong when it is sent",
        "<form action=/s><input name=a value='搜尋啫é'><input type=hidden name=_charset_></form>",
        content_type="text/html; charset=big5",
        charset="big5hkscs",
    ),
    Case(
        "A page in UTF-16 is sent as UTF-8",
        "\ufeff<form action=/s><input name=a value='é€'><input type=hidden name=_charset_></form>",
        content_type="text/html; charset=utf-16le",
        charset="utf-16-le",
    ),
    Case(
        "A page in UTF-16 that only its first bytes tell of is sent as UTF-8",
        "\ufeff<form action=/s><input name=a value='é€'><input type=hidden name=_charset_></form>",
        content_type="text/html",
        charset="utf-16-be",
    ),
    Case(
        "The bytes at the start of a UTF-8 page go before its header",
        "\ufeff<form action=/s><input name=a value=é><input type=hidden name=_charset_></form>",
        content_type="text/html; charset=windows-1251",
    ),
    Case(
        "The header goes before the meta element",
        "<meta charset=windows-1251><form action=/s><input name=a value=é></form>",
    ),
    Case(
        "The meta element tells the encoding where the header does not",
        "<meta charset=windows-1251><form action=/s><input name=a value=поиск><input type=hidden name=_charset_></form>",
        content_type="text/html",
        charset="cp1251",
    ),
    Case(
        "An http-equiv meta element tells the encoding",
        "<meta http-equiv=content-type content='text/html; charset=koi8-r'><form action=/s><input name=a value=поиск></form>",
        content_type="text/html",
        charset="koi8-r",
    ),
    Case(
        "A meta element that says UTF-16 means UTF-8",
        "<meta charset=utf-16><form action=/s><input name=a value=é><input type=hidden name=_charset_></form>",
        content_type="text/html",
    ),
    Case(
        "A header with an unknown encoding leaves it to the meta element",
        "<meta charset=windows-1251><form action=/s><input name=a value=поиск></form>",
        content_type="text/html; charset=nonsense",
        charset="cp1251",
    ),
    Case(
        "A page of ASCII that names no encoding is Windows-1252",
        "<form action=/s><input name=a value='&eacute;&euro;&#1087;'><input type=hidden name=_charset_></form>",
        content_type="text/html",
    ),
    Case(
        "Characters that the encoding lacks become references in parts",
        "<form action=/s method=post enctype=multipart/form-data><input name=é日 value='é日'></form>",
        content_type="text/html; charset=windows-1252",
        charset="cp1252",
    ),
    Case(
        "Characters that the encoding lacks become references as plain text",
        "<form action=/s method=post enctype=text/plain><input name=a value='é日'></form>",
        content_type="text/html; charset=windows-1252",
        charset="cp1252",
    ),
    Case(
        "A name in the page's encoding",
        "<form action=/s><input name=größe value=1></form>",
        content_type="text/html; charset=iso-8859-1",
        charset="cp1252",
    ),
    Case(
        "A visitor writes what the encoding lacks",
        "<form action=/s><input name=a></form>",
        content_type="text/html; charset=iso-8859-1",
        filled={"a": "Łódź & 5 €"},
    ),
    Case(
        "The accepted encoding goes before the page's",
        "<form action=/s accept-charset=windows-1251><input name=a value=поиск></form>",
    ),
    Case(
        "Of several accepted encodings the first counts",
        "<form action=/s accept-charset='iso-8859-2 utf-8'><input name=a value=łé></form>",
    ),
    Case(
        "Accepted encodings that are unknown are skipped",
        "<form action=/s accept-charset='nonsense unknown KOI8-R'><input name=a value=поиск></form>",
    ),
    Case(
        "Where all accepted encodings are unknown the page's counts",
        "<form action=/s accept-charset=nonsense><input name=a value=é><input type=hidden name=_charset_></form>",
        content_type="text/html; charset=windows-1252",
        charset="cp1252",
    ),
    Case(
        "Where the list of accepted encodings is empty the page's counts",
        "<form action=/s accept-charset=''><input name=a value=é><input type=hidden name=_charset_></form>",
        content_type="text/html; charset=windows-1252",
        charset="cp1252",
    ),
    Case(
        "Accepted encodings may be parted by commas",
        "<form action=/s accept-charset='windows-1251,utf-8'><input name=a value=поиск></form>",
        content_type="text/html; charset=windows-1252",
        charset="cp1252",
    ),
    Case(
        "UTF-8 is accepted on a page in another encoding",
        "<form action=/s accept-charset=UTF-8><input name=a value='é日'></form>",
        content_type="text/html; charset=windows-1252",
        charset="cp1252",
    ),
    Case(
        "An accepted UTF-16 means UTF-8",
        "<form action=/s accept-charset=utf-16><input name=a value=é><input type=hidden name=_charset_></form>",
        content_type="text/html; charset=windows-1252",
        charset="cp1252",
    ),
    Case(
        "An accepted ISO-8859-1 is Windows-1252",
        "<form action=/s accept-charset=iso-8859-1><input name=a value=€><input type=hidden name=_charset_></form>",
    ),
    Case(
        "The accepted encoding does not touch the action's own query",
        "<form action='/s?x=é' method=post accept-charset=windows-1251><input name=a value=поиск></form>",
    ),
    Case(
        "Windows-1251 is posted in its bytes",
        "<form action=/s method=post><input name=поле value='поиск ©'></form>",
        content_type="text/html; charset=windows-1251",
        charset="cp1251",
    ),
    *(
        Case(
            f"The encoding {label} and its name",
            f"<form action=/s><input name=a value='{text} 日'><input type=hidden name=_charset_></form>",
            content_type=f"text/html; charset={label}",
            charset=codec,
        )
        for label, codec, text in (
            ("windows-1253", "cp1253", "αβγ"),
            ("iso-8859-7", "iso8859-7", "αβγ"),
            ("windows-1255", "cp1255", "שלום"),
            ("iso-8859-8-i", "iso8859-8", "שלום"),
            ("windows-1257", "cp1257", "ąčę"),
            ("windows-1258", "cp1258", "ăđơ"),
            ("tis-620", "cp874", "ค้นหา"),
            ("koi8-u", "koi8-u", "їжак"),
            ("ibm866", "cp866", "поиск"),
            ("x-mac-cyrillic", "mac-cyrillic", "поиск"),
            ("macintosh", "mac-roman", "é†"),
            ("iso-8859-5", "iso8859-5", "поиск"),
            ("iso-8859-16", "iso8859-16", "ășț"),
        )
    ),
    Case(
        "The encoding x-user-defined has ASCII and private characters only",
        "<form action=/s><input name=a value='&eacute;'><input type=hidden name=_charset_></form>",
        content_type="text/html; charset=x-user-defined",
    ),
    Case(
        "A meta element in a comment tells nothing",
        "<!-- <meta charset=koi8-r> --><meta charset=windows-1251><form action=/s><input name=a value=поиск></form>",
        content_type="text/html",
        charset="cp1251",
    ),
    Case(
        "The name of an encoding may be quoted and padded",
        "<form action=/s><input name=a value=поиск></form>",
        content_type='text/html;charset=" Windows-1251 "',
        charset="cp1251",
    ),
    *(
        Case(
            f"The encoding {label} has and lacks what the Encoding standard says",
            f"<form action=/s accept-charset={label}><input name=a value='{text}'></form>",
        )
        for label, text in (
            ("shift_jis", "〜～¢￠£‖∥−－―—¥‾①ⅰ㈱髙"),
            ("euc-jp", "〜～¢￠£‖∥−－―—¥‾①ⅰ㈱髙"),
            ("iso-2022-jp", "〜～¢‖∥−－①ｱｶﾞ。｡"),
            ("big5", "¢￠£•·∕／＼ˍ＿╔═嗀兀裏"),
            ("gbk", "ḿ€—·～ǹ〇龴"),
            ("gb18030", "ḿ€—·～ǹ〇龴"),
            ("koi8-u", "ЎўҐґ╝╔Є"),
            ("windows-1255", "אָֹֺ₪׳"),
            ("windows-1252", "\x81\x8d€ŽžŸ\x80"),
            ("windows-874", "\x81€ก฿\x80"),
            ("euc-kr", "￦₩～〜·ㆍ®€ힰ뷁"),
        )
    ),
)

CASES = (
    *_OWNERS,
    *_REPAIRED,
    *_DISABLED,
    *_CHECKED,
    *_SELECTS,
    *_TEXTAREAS,
    *_TYPES,
    *_NAMES,
    *_DIRECTIONS,
    *_BUTTONS,
    *_IMPLICIT,
    *_WHERE,
    *_ENCODINGS,
)
