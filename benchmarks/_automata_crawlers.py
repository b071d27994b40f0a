"""Crawlers for the benchmark `automata`: what each of them fetches next, on the same sites with the same budget.

    automata            an automaton for every kind of page chooses between its groups of links and its forms
                        (`hiddenweb.focused.exploring.link_automata`), another one the words (`hiddenweb.querying.policies.automata`)
    automata, benefit   the same, but words are chosen by the default policy
    default             what a crawl does by itself: what a question led to comes first, then the next question, each form in its turn,
                        then links, breadth first; words by the default policy (`hiddenweb.querying.policies.benefit`)
    hwdla               the paper: every page has an automaton, every link of it is an action and so is every question to a form; a walk starts at
                        the homepage again and again (`benchmarks.baselines.hwdla.AutomataNetwork`); words by an automaton without heirs
    random walk         the same walk, every action as probable as any other

All of them know of a page what its links say by their place, of an answer which records it shows with their words. None fetches an address twice, or asks
the same twice. All leave a form in peace whose last questions brought next to nothing, and turn the pages of an answer by what their
policy says.
"""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, NamedTuple, Protocol

from benchmarks._automata_sites import Question
from benchmarks.baselines.hwdla import AutomataNetwork, NetworkParameters
from hiddenweb.focused.exploring.link_automata import PageKindAutomata, VisitGain
from hiddenweb.frontier.stopping import common_shape
from hiddenweb.querying.policies.automata import AutomataPolicy
from hiddenweb.querying.policies.benefit.policy import BenefitPolicy

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from benchmarks._automata_sites import AnswerPage, Page, Search, WebSite
    from hiddenweb.querying.policies.protocol import QueryPolicy

PATIENCE, LEAST = 100, 10
"""A form is left in peace when so many questions in a row brought fewer new records than this, all together."""

STEPS = 100
"""k_threshold: of a walk."""

STEPS_FOR_A_PAGE = 10
"""Steps of all walks together for a page of the budget, at most: those to known pages cost nothing."""

UNREWARDED = 3
"""Steps without a reward after which a walk by kinds of pages goes back to where it had one."""


class Spent(Exception):
    """Raised when all pages that may be fetched were."""


class Fetched(NamedTuple):
    """A page that was fetched."""

    what: str  # public, hidden or answer
    depth: int  # clicks from the homepage; the pages of an answer are as deep as its first


class Crawl:
    """What a crawler may do, and what it did."""

    def __init__(self, site: WebSite, budget: int) -> None:
        self.site = site
        self.budget = budget
        self.fetched: list[Fetched] = []
        self._addresses: set[str] = set()

    def fetch(self, url: str, depth: int) -> Page:
        """Fetch a page that was not fetched before."""
        if url in self._addresses:
            raise ValueError(f"{url} was fetched before")
        self._pay("hidden" if url in self.site.hidden else "public", depth)
        self._addresses.add(url)
        return self.site.fetch(url)

    def ask(self, form: str, question: Question, number: int, depth: int) -> AnswerPage:
        """Fetch a page of an answer."""
        self._pay("answer", depth)
        return self.site.searches[form].answer(question, number)

    def _pay(self, what: str, depth: int) -> None:
        if len(self.fetched) >= self.budget:
            raise Spent
        self.fetched.append(Fetched(what, depth))


class Crawler(Protocol):
    """Fetches pages until the budget is spent, or nothing is left."""

    def run(self, crawl: Crawl) -> None:
        """Fetch."""


@dataclass(slots=True)
class Turned:
    """An answer, as far as its pages were turned."""

    question: Question
    depth: int
    pages: list[tuple[int, int]] = field(default_factory=list)  # records, new ones among them
    shown: list[str] = field(default_factory=list)  # on the last page
    has_next: bool = True


class Asker:
    """Asks one form."""

    def __init__(self, search: Search, policy: QueryPolicy) -> None:
        self.name = search.name
        self._policy = policy
        self._begin = deque(search.beginning if not search.choices else ())
        self._choices = deque(search.choices)
        self._has_menu = bool(search.choices)
        self._known: set[str] = set()
        self._new: deque[int] = deque(maxlen=PATIENCE)
        self.rests = False

    def next(self) -> Question | None:
        """Return the next question; None if there is none, or none that is worth it."""
        if self.rests:
            return None
        question = self._choose()
        self.rests = question is None
        return question

    def _choose(self) -> Question | None:
        if self._has_menu:
            return Question(choice=self._choices.popleft()) if self._choices else None
        if self._begin:
            words: tuple[str, ...] = (self._begin.popleft(),)
        else:
            wanted = self._policy.next()
            if wanted is None or wanted.continues:
                return None
            words = wanted.words
        self._policy.note_query(words)
        return Question(words)

    def turn(self, crawl: Crawl, answer: Turned) -> list[str]:
        """Fetch the next page of an answer; return the pages of its records that no answer of this form showed before."""
        page = crawl.ask(self.name, answer.question, len(answer.pages), answer.depth)
        new = [found.url for found in page.found if found.url not in self._known]
        self._known.update(new)
        answer.pages.append((len(page.found), len(new)))
        if not self._has_menu:
            self._policy.read([(_number(found.url), found.words) for found in page.found], page.total)
        answer.shown = [found.url for found in page.found]
        answer.has_next = page.has_next
        return new

    def is_over(self, answer: Turned) -> bool:
        """Say whether an answer has no page that is worth turning."""
        if not answer.has_next:
            return True
        return not self._has_menu and not self._policy.is_worth_turning()

    def end(self, answer: Turned) -> int:
        """Learn from an answer, and return how many of its records were new."""
        new = sum(new for _, new in answer.pages)
        if not self._has_menu:
            self._policy.end_answer(had_more=answer.has_next)
            self._new.append(new)
            self.rests = len(self._new) == PATIENCE and sum(self._new) < LEAST
        return new


def _number(url: str) -> int:
    return int(url.rpartition("/")[2])


# What a crawl does by itself


class InOrder:
    """What a question led to, questions, links: in this order."""

    def __init__(self, words: Callable[[], QueryPolicy]) -> None:
        self._words = words

    def run(self, crawl: Crawl) -> None:
        """Fetch."""
        links: deque[tuple[str, int]] = deque([("/", 0)])
        asked: deque[tuple[str, int]] = deque()
        known = {"/"}
        forms: dict[str, tuple[Asker, int]] = {}
        turns: deque[tuple[Asker, int]] = deque()
        answers: deque[tuple[Asker, Turned]] = deque()
        while asked or answers or turns or links:
            if asked:
                page, depth = crawl.fetch(*asked[0]), asked.popleft()[1]
            elif answers:
                asker, answer = answers.popleft()
                found = [url for url in asker.turn(crawl, answer) if url not in known]
                known.update(found)
                asked.extend((url, answer.depth + 1) for url in found)
                if asker.is_over(answer):
                    asker.end(answer)
                else:
                    answers.append((asker, answer))
                continue
            elif turns:
                asker, depth = turns.popleft()
                if question := asker.next():
                    turns.append((asker, depth))
                    answers.append((asker, Turned(question, depth + 1)))
                continue
            else:
                page, depth = crawl.fetch(*links[0]), links.popleft()[1]
            for form in page.forms:
                if form not in forms:
                    forms[form] = (Asker(crawl.site.searches[form], self._words()), depth)
                    turns.append(forms[form])
            for link in page.links:
                if link.url not in known:
                    known.add(link.url)
                    links.append((link.url, depth + 1))


# By automata


@dataclass(slots=True)
class Place:
    """A page as somebody stands on it: what is left to do there, by what it is called."""

    kind: str
    depth: int
    back: Place | None
    links: dict[str, deque[str]] = field(default_factory=dict)
    asker: Asker | None = None  # of an answer
    answer: Turned | None = None


class ByKinds:
    """An automaton for every kind of page chooses what to do on it.

    A link belongs to the page where it was met first. A form can be asked wherever one stands, and belongs to the homepage, where all walks
    begin. A page on which nothing is left to do sends back to the one before. A walk ends when a search form was found, or when some
    steps in a row were not rewarded.
    """

    def __init__(self, words: Callable[[], QueryPolicy], chance: Random) -> None:
        self._words = words
        self._chance = chance
        self.kinds = PageKindAutomata()
        self._known = {"/"}
        self._linked: set[str] = set()  # shapes of links on pages that links reach
        self._askers: dict[str, Asker] = {}
        self._depth: dict[str, int] = {}  # of the page where a form was met
        self._open: deque[Place] = deque()  # pages left behind with something to do
        self._unfinished: dict[str, Place] = {}  # by form: the answer whose pages are turned

    def run(self, crawl: Crawl) -> None:
        """Fetch."""
        home = self._arrive(crawl, crawl.fetch("/", 0), 0, None, hidden=False)
        here, unrewarded = home, 0
        while True:
            actions = self._actions(here)
            if here is home:
                actions += [f"form {form}" for form, asker in self._askers.items() if not asker.rests]
            action = self.kinds.choose(here.kind, actions, self._chance)
            if action is None:
                following = here.back or self._somewhere()
                if following is None:
                    return
                here = following
                continue
            there, brought = self._do(crawl, here, action)
            self.kinds.learn(here.kind, action, brought)
            unrewarded = 0 if brought.is_rewarded else unrewarded + 1
            if brought is VisitGain.FORM or unrewarded >= UNREWARDED:
                self._open.append(there)
                here, unrewarded = home, 0
            else:
                here = there

    def _actions(self, here: Place) -> list[str]:
        """Return what can be done on a page now."""
        actions = [f"links {place}" for place, links in here.links.items() if links]
        if here.asker is not None and here.answer is not None and here.answer.has_next:
            actions.append("next page")
        return actions

    def _somewhere(self) -> Place | None:
        """Return a page that was left with something to do."""
        while self._open:
            place: Place | None = self._open.popleft()
            while place is not None:
                if self._actions(place):
                    return place
                place = place.back
        return None

    def _do(self, crawl: Crawl, here: Place, action: str) -> tuple[Place, VisitGain]:
        what, _, name = action.partition(" ")
        if what == "links":
            return self._follow(crawl, here, name)
        if what == "form":
            return self._ask(crawl, here, name)
        assert here.asker is not None
        assert here.answer is not None
        brought = self._turn(crawl, here)
        return here, brought

    def _follow(self, crawl: Crawl, here: Place, place: str) -> tuple[Place, VisitGain]:
        url = here.links[place].popleft()
        hidden = self._is_hidden(url)
        forms = len(self._askers)
        there = self._arrive(crawl, crawl.fetch(url, here.depth + 1), here.depth + 1, here, hidden=hidden)
        if hidden:
            return there, VisitGain.HIDDEN
        return there, VisitGain.FORM if len(self._askers) > forms else VisitGain.LINKED

    def _ask(self, crawl: Crawl, here: Place, form: str) -> tuple[Place, VisitGain]:
        """Ask a form, or go on with its answer if that was left: a form has one under way."""
        asker = self._askers[form]
        if (unfinished := self._unfinished.get(form)) is not None:
            return unfinished, self._turn(crawl, unfinished)
        question = asker.next()
        if question is None:
            return here, VisitGain.NOTHING
        depth = self._depth[form] + 1
        there = Place(f"answer of {form}", depth, here, asker=asker, answer=Turned(question, depth))
        self._unfinished[form] = there
        return there, self._turn(crawl, there)

    def _turn(self, crawl: Crawl, there: Place) -> VisitGain:
        """Turn a page of an answer, and say what it brought: records that links do not reach, or others."""
        assert there.asker is not None
        assert there.answer is not None
        new = [url for url in there.asker.turn(crawl, there.answer) if url not in self._known]
        self._known.update(new)
        hidden = [url for url in new if self._is_hidden(url)]
        there.links.setdefault("records", deque()).extend(new)
        if there.asker.is_over(there.answer):
            there.asker.end(there.answer)
            there.answer.has_next = False
            del self._unfinished[there.asker.name]
        if hidden:
            return VisitGain.HIDDEN
        return VisitGain.LINKED if new else VisitGain.NOTHING

    def _arrive(self, crawl: Crawl, page: Page, depth: int, back: Place | None, *, hidden: bool) -> Place:
        there = Place(page.kind, depth, back)
        for form in page.forms:
            if form not in self._askers:
                self._askers[form] = Asker(crawl.site.searches[form], self._words())
                self._depth[form] = depth
        for link in page.links:
            if not hidden:
                self._linked.add(_shape(link.url))
            if link.url not in self._known:
                self._known.add(link.url)
                there.links.setdefault(link.place, deque()).append(link.url)
        return there

    def _is_hidden(self, url: str) -> bool:
        """Say whether no link is known that leads there, or to an address of the same shape."""
        return _shape(url) not in self._linked


def _shape(url: str) -> str:
    return common_shape(f"https://site.example{url}")


# As the paper has it


class Walk:
    """A walk from page to page, by the automata of the paper, or by chance alone.

    Where a step leads to a page that was fetched before, nothing is fetched. Pages of answers are pages, with the header and footer of all.
    """

    def __init__(self, words: Callable[[], QueryPolicy], chance: Random, *, learns: bool) -> None:
        self._words = words
        self._chance = chance
        self._learns = learns
        self._askers: dict[str, Asker] = {}
        self._unfinished: dict[str, Turned] = {}  # by form: the last answer
        self._actions: dict[str, list[str]] = {}  # by page
        self._depth: dict[str, int] = {}
        self._answers: dict[str, tuple[str, Turned]] = {}  # by the last page that was turned: its form
        self._led: dict[tuple[str, str], str] = {}  # where an action that is no link led
        self._linked: set[str] = set()

    def run(self, crawl: Crawl) -> None:
        """Fetch."""
        # Never sure: a walk that ends at the first certain action would see answers and none of their records.
        network = AutomataNetwork(
            "/",
            self._chance,
            NetworkParameters(most_steps=STEPS, most_states=50_000, most_actions=200, sure=1.0),
        )
        self._fetch(crawl, "/", 0)
        added: set[str] = set()
        at, steps = "/", 0
        for _ in range(STEPS_FOR_A_PAGE * crawl.budget):
            if self._learns:
                if network.ended:
                    network.begin()
                at = network.at
                if at not in added:
                    added.add(at)
                    network.add(at, self._actions[at])
                action = network.next()
            else:
                if steps >= STEPS:
                    at, steps = "/", 0
                action = self._chance.choice(self._actions[at])
                steps += 1
            assert action is not None
            reached, hidden = self._do(crawl, at, action)
            if self._learns:
                network.led_to(reached, hidden=hidden, used_up=reached is None)
            if reached is None:
                self._actions[at].remove(action)
            at = reached or at

    def _do(self, crawl: Crawl, at: str, action: str) -> tuple[str | None, bool]:
        """Take an action; return the page it leads to, and whether no link was met that does."""
        what, _, name = action.partition(" ")
        if what == "link":
            if name not in self._actions:
                self._fetch(crawl, name, self._depth[at] + 1)
            return name, name not in self._linked
        if what == "next":
            if (at, action) not in self._led:
                form, answer = self._answers.pop(at)
                self._led[at, action] = self._turn(crawl, form, answer)
            return self._led[at, action], True
        asker = self._askers[name]
        if name in self._unfinished:
            asker.end(self._unfinished.pop(name))
        question = asker.next()
        if question is None:
            return None, False
        answer = self._unfinished[name] = Turned(question, self._depth[at] + 1)
        return self._turn(crawl, name, answer), True

    def _fetch(self, crawl: Crawl, url: str, depth: int) -> None:
        page = crawl.fetch(url, depth)
        if url == "/" or url in self._linked:
            self._linked.update(link.url for link in page.links)
        for form in page.forms:
            if form not in self._askers:
                self._askers[form] = Asker(crawl.site.searches[form], self._words())
        self._depth[url] = depth
        links = dict.fromkeys(link.url for link in page.links if link.url != url)
        self._actions[url] = [*(f"link {link}" for link in links), *(f"ask {form}" for form in page.forms)]

    def _turn(self, crawl: Crawl, form: str, answer: Turned) -> str:
        """Turn a page of an answer; return what that page is called."""
        self._askers[form].turn(crawl, answer)
        name = f"{form}: {' '.join(answer.question.words) or answer.question.choice}, {len(answer.pages)}"
        links = (*answer.shown, *(link.url for link in crawl.site.frame))
        self._actions[name] = [f"link {url}" for url in dict.fromkeys(links)]
        self._depth[name] = answer.depth
        if answer.has_next:
            self._actions[name].append("next page")
            self._answers[name] = form, answer
        return name


CRAWLERS: Mapping[str, Callable[[int], Crawler]] = {
    "automata": lambda seed: ByKinds(lambda: AutomataPolicy(Random(seed), "en"), Random(seed)),
    "automata, benefit": lambda seed: ByKinds(lambda: BenefitPolicy("en"), Random(seed)),
    "default": lambda _: InOrder(lambda: BenefitPolicy("en")),
    "hwdla": lambda seed: Walk(
        lambda: AutomataPolicy(Random(seed), "en", heirs=False), Random(seed), learns=True
    ),
    "random walk": lambda seed: Walk(
        lambda: AutomataPolicy(Random(seed), "en", heirs=False), Random(seed), learns=False
    ),
}


def run_crawler(name: str, site: WebSite, budget: int, seed: int) -> list[Fetched]:
    """Let a crawler loose on a site; return what it fetched, in its order."""
    crawl = Crawl(site, budget)
    with suppress(Spent):
        CRAWLERS[name](seed).run(crawl)
    return crawl.fetched
