"""What is sent when a form is submitted: Chromium, ours, form2request and Scrapy's FormRequest on the same cases.

A server on this machine hands the page of a case to Chromium and keeps the request that follows. It answers requests
with "204 No Content", so the browser stays on the page, where it can be asked whether it has built an entry list: only then
is a request waited for. Nothing may arrive before the next page that was not waited for, so "nothing was sent" is certain.

`python -m benchmarks._entry_lists` runs all cases in Chromium, writes what it sent to `entry_lists.json`, and lists where
ours differs. Addresses are compared from the path on: the port is another one each time, and fragments are not sent.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import warnings
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, ClassVar

from form2request import form2request  # type: ignore[import-untyped]
from scrapy import FormRequest
from scrapy.exceptions import ScrapyDeprecationWarning
from scrapy.http import HtmlResponse

from benchmarks._entry_cases import CASES
from benchmarks.report import table
from hiddenweb.forms.submission import UnreadableForm, build_submission
from hiddenweb.html.reader import read_page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Literal

    from parsel import Selector
    from playwright.sync_api import ElementHandle, Position
    from playwright.sync_api import Page as BrowserPage
    from scrapy import Request

    from benchmarks import Options
    from benchmarks._entry_cases import Case
    from hiddenweb.model import Field, Form

CHROMIUM = shutil.which("chromium")
RECORD = Path(__file__).resolve().with_name("entry_lists.json")
ORIGIN = "http://127.0.0.1:8080"  # where those who need no server believe the page to be

_ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
              "--disable-component-update", "--disable-sync")  # fmt: skip
_DOT = bytes.fromhex("47494638396101000100800000000000ffffff2c00000000010001000002024401003b")  # a GIF
_LONGEST_WAIT = 15  # seconds; a request that was announced arrives within a few milliseconds


@dataclass(frozen=True, slots=True)
class Sent:
    """A request as it travels; the boundary of a multipart body is always called BOUNDARY."""

    method: str
    target: str  # path and query
    content_type: str = ""
    body: str = ""  # a character for each byte

    @classmethod
    def of(cls, method: str, target: str, content_type: str = "", body: bytes = b"") -> Sent:
        """Return a request with its address from the path on and its boundary renamed."""
        target = re.sub(r"^https?://[^/?#]*", "", target).partition("#")[0]
        text = body.decode("latin-1")
        if found := re.fullmatch(r'multipart/form-data; *boundary="?([^";]+)"?', content_type):
            content_type = "multipart/form-data; boundary=BOUNDARY"
            text = text.replace(found[1], "BOUNDARY")
        return cls(method, target if target.startswith("/") else f"/{target}", content_type, text)


Answer = Sent | None  # None: nothing was sent


@dataclass(frozen=True, slots=True)
class Record:
    """What Chromium sent, case by case."""

    version: str
    answers: Mapping[str, Answer]


@dataclass(frozen=True, slots=True)
class Difference:
    """A case in which somebody sends something else than Chromium."""

    case: Case
    chromium: Answer
    other: Answer | str

    def __str__(self) -> str:
        return f"{self.case.name}\n    {self.case.html}\n    chromium  {self.chromium}\n    other     {self.other}"


def run(options: Options) -> dict[str, object]:
    """Compare all on the cases and return in how many each agrees with Chromium."""
    live = CHROMIUM is not None and not options.quick
    record = send_by_chromium(CASES) if live else load_recording()
    how = "was run on" if live else f"was not run; {RECORD.name} keeps what it sent in"
    print(f"Chromium {record.version} {how} {len(CASES)} cases.")
    differences = {name: list(differing(record, ask)) for name, ask in ASKED.items()}
    agree = {name: len(CASES) - len(found) for name, found in differences.items()}
    print(table(["who", "cases", "agree"], [[name, len(CASES), count] for name, count in agree.items()]))
    for difference in differences["hiddenweb"]:
        print(f"- {difference}")
    return {
        "entry_list_cases": len(CASES),
        "entry_list_agree": agree["hiddenweb"],
        "form2request_agree": agree["form2request"],
        "formrequest_agree": agree["FormRequest"],
        "chromium": record.version,
        "chromium_run_live": live,
    }


def differing(record: Record, ask: Callable[[Case], Answer]) -> Iterator[Difference]:
    """Yield the cases in which somebody else sends something else than Chromium, or fails."""
    for case in CASES:
        chromium = record.answers[case.name]
        try:
            other: Answer | str = ask(case)
        except Exception as error:  # noqa: BLE001  # whatever goes wrong in others is their answer
            other = f"{type(error).__name__}: {error}"
        if other != chromium:
            yield Difference(case, chromium, other)


def load_recording() -> Record:
    """Return what Chromium sent when it was last recorded."""
    kept = json.loads(RECORD.read_text(encoding="utf-8"))
    answers = {name: Sent(**sent) if sent else None for name, sent in kept["answers"].items()}
    return Record(kept["chromium"], answers)


# Ours


def send_by_hiddenweb(case: Case) -> Answer:
    """Return what hiddenweb sends, or None when it finds that nothing can be sent."""
    page = read_page(case.body(ORIGIN), ORIGIN + case.path, content_type=case.content_type)
    form = _form_of(case, page.forms)
    try:
        query = build_submission(form, case.filled, submitter=_submitter(case, form))
    except UnreadableForm:
        return None
    return Sent.of(query.method, query.url, query.content_type, query.body)


def _form_of(case: Case, forms: Iterable[Form]) -> Form:
    """Return the form of a case; those that scripts or descriptions make are not counted."""
    written = [form for form in forms if form.source == "form"]
    if isinstance(case.form, int):
        return written[case.form]
    return next(form for form in written if form.element_id == case.form)


def _submitter(case: Case, form: Form) -> Field | Literal["default"] | None:
    if case.enter:
        return "default"
    return next(field for field in form.fields if field.element_id == case.click) if case.click else None


# Others


def _form2request(case: Case) -> Answer:
    response, form = _parse_by_lxml(case)
    click = response.xpath("//*[@id=$id]", id=case.click)[0] if case.click else None if case.enter else False
    try:
        request = form2request(form, dict(case.filled), click=click).to_scrapy(None)
    except NotImplementedError:  # how it refuses what it does not send, such as dialogs
        return None
    return _send_by_scrapy(request)


def _form_request(case: Case) -> Answer:
    response, form = _parse_by_lxml(case)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ScrapyDeprecationWarning)
        request = FormRequest.from_response(
            response,
            formxpath=form.root.getroottree().getpath(form.root),
            formdata=dict(case.filled),
            clickdata={"id": case.click} if case.click else None,
            dont_click=not (case.click or case.enter),
        )
    return _send_by_scrapy(request)


def _send_by_scrapy(request: Request) -> Sent:
    content_type = (request.headers.get("Content-Type") or b"").decode()
    return Sent.of(request.method, request.url, content_type, request.body)


def _parse_by_lxml(case: Case) -> tuple[HtmlResponse, Selector]:
    response = HtmlResponse(
        ORIGIN + case.path, body=case.body(ORIGIN), headers={"Content-Type": case.content_type}
    )
    found = response.xpath("//form" if isinstance(case.form, int) else f"//form[@id='{case.form}']")
    return response, found[case.form if isinstance(case.form, int) else 0]


ASKED: Mapping[str, Callable[[Case], Answer]] = {
    "hiddenweb": send_by_hiddenweb,
    "form2request": _form2request,
    "FormRequest": _form_request,
}


# Chromium


def send_by_chromium(cases: Iterable[Case]) -> Record:
    """Submit all forms in one browser and return what it sent."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  # only for developers

    with _Server.running() as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=_ARGUMENTS)
        try:
            page = browser.new_page()
            page.set_default_timeout(_LONGEST_WAIT * 1000)
            page.add_init_script(_WATCH)
            answers = {case.name: _answer_of(page, server, case) for case in cases}
            server.expect_nothing()
            return Record(browser.version, answers)
        finally:
            browser.close()


# Notes when a request is about to be made: an entry list was built, for something that can be asked by HTTP.
_WATCH = """
window.submitters = new WeakMap();
window.sends = false;
addEventListener('submit', event => submitters.set(event.target, event.submitter), true);
addEventListener('formdata', event => {
    const form = event.target, button = submitters.get(form) || form;
    const get = (element, name) => Element.prototype.getAttribute.call(element, name);
    const own = name => button !== form && get(button, 'form' + name) !== null ? get(button, 'form' + name) : get(form, name);
    if ((own('method') || '').toLowerCase() === 'dialog') return;
    try {
        window.sends = new URL(own('action') || document.URL, document.baseURI).protocol.startsWith('http');
    } catch { }
}, true);
"""

_FORM = "which => typeof which === 'string' ? document.getElementById(which) : document.forms[which]"
_NAMED = (
    "([form, name]) => [...document.querySelectorAll('*')].filter(c => c.form === form && c.name === name)"
)
_SUBMIT = f"which => {{ HTMLFormElement.prototype.submit.call(({_FORM})(which)); return window.sends; }}"


def _answer_of(page: BrowserPage, server: _Server, case: Case) -> Answer:
    server.show(case)
    page.goto(server.origin + case.path, wait_until="domcontentloaded")
    if case.filled:
        form = page.evaluate_handle(_FORM, case.form).as_element()
        assert form is not None, f"{case.name}: there is no such form"
        for name, values in case.filled.items():
            _fill(page, form, name, (values,) if isinstance(values, str) else values)
    return server.submission() if _submit(page, case) else None


def _submit(page: BrowserPage, case: Case) -> bool:
    """Submit a form and say whether a request is on its way."""
    if not (case.enter or case.click):
        return bool(page.evaluate(_SUBMIT, case.form))
    if case.enter:
        page.locator(f"#{case.enter}").press("Enter", no_wait_after=True)
    else:
        is_image = f"<input type=image id={case.click}" in case.html
        position: Position | None = {"x": 0, "y": 0} if is_image else None
        page.locator(f"#{case.click}").click(force=True, no_wait_after=True, position=position)
    return bool(page.evaluate("window.sends"))


def _fill(page: BrowserPage, form: ElementHandle, name: str, values: tuple[str, ...]) -> None:
    """Type, choose and check as a visitor does."""
    found = page.evaluate_handle(_NAMED, [form, name]).get_properties().values()
    controls = [control for handle in found if (control := handle.as_element())]
    assert controls, f"{page.url}: there is no control {name!r}"
    for control in controls:
        kind = control.evaluate("control => control.type")
        if kind in ("checkbox", "radio"):
            if control.evaluate("control => control.value") in values:
                control.check()
            elif kind == "checkbox":
                control.uncheck()
        elif kind.startswith("select"):
            control.select_option(value=list(values))
        else:
            control.fill(values[0])


class _Server:
    """Shows one page at a time, and keeps all other requests."""

    def __init__(self, http: ThreadingHTTPServer) -> None:
        self.origin = f"http://127.0.0.1:{http.server_address[1]}"
        self._case: Case | None = None
        self._is_shown = False
        self._arrived: SimpleQueue[Sent] = SimpleQueue()

    @classmethod
    @contextmanager
    def running(cls) -> Iterator[_Server]:
        """Serve on a free port of this machine."""
        with _HTTPServer(("127.0.0.1", 0), _Handler) as http:
            server = _Handler.server_of_cases = cls(http)
            thread = Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
            thread.start()
            try:
                yield server
            finally:
                http.shutdown()
                thread.join()

    def show(self, case: Case) -> None:
        """Show the page of a case to whoever asks for it first."""
        self.expect_nothing()
        self._case, self._is_shown = case, False

    def submission(self) -> Sent:
        """Wait for the request that submits the form."""
        try:
            return self._arrived.get(timeout=_LONGEST_WAIT)
        except Empty:
            raise AssertionError(f"{self._case}: no request arrived") from None

    def expect_nothing(self) -> None:
        """Fail when something was sent that nobody waited for."""
        assert self._arrived.empty(), f"{self._case}: {self._arrived.get()} was sent unseen"

    def page_for(self, sent: Sent) -> tuple[str, bytes] | None:
        """Return the page of the case when it is asked for, else keep the request."""
        if self._case and not self._is_shown and sent == Sent("GET", self._case.path):
            self._is_shown = True
            return self._case.content_type, self._case.body(self.origin)
        self._arrived.put(sent)
        return None


class _HTTPServer(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Report what went wrong, unless the browser has hung up."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body go out at once, not 40 milliseconds apart
    server_of_cases: ClassVar[_Server]

    def do_GET(self) -> None:
        if self.path == "/dot.gif":
            self._answer("image/gif", _DOT)
            return
        if self.path == "/favicon.ico":
            self._answer("text/plain", b"none", status=404)  # Chromium asks once only
            return
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        sent = Sent.of(self.command, self.path, self.headers.get("Content-Type") or "", body)
        page = self.server_of_cases.page_for(sent)
        if page is None:
            self.send_response(204)
            self.end_headers()
        else:
            self._answer(*page)

    do_POST = do_GET  # noqa: N815

    def _answer(self, content_type: str, body: bytes, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


# Recording


def record_chromium() -> None:
    """Run Chromium, write down what it sent, and list where ours differs."""
    record = send_by_chromium(CASES)
    answers = {name: asdict(sent) if sent else None for name, sent in record.answers.items()}
    kept = {"chromium": record.version, "answers": answers}
    RECORD.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    found = list(differing(record, send_by_hiddenweb))
    for difference in found:
        print(difference)
    print(f"Chromium {record.version}: {len(CASES)} cases, in {len(found)} ours differs")


if __name__ == "__main__":
    record_chromium()
