"""Templates: every redesign shows on every kind of page and loses nothing; no two sites write alike."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING

import pytest
from lxml import html

from simweb.escaping import escape
from simweb.look import REDESIGNS, Look, Skin, look_of
from simweb.messages import Request, Response
from simweb.world import World

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from simweb.site import Site

LAYOUTS = ("semantic", "divs", "tables")
PAGE_KINDS = ("article", "record", "answer")
PAIRS = [("Author", "Ann & Bob"), ("Year", "1990"), ("Place", "Graz <Süd>"), ("Pages", "312")]


@pytest.fixture
def world() -> Iterator[World]:
    world = World(21, 400, pages_per_site=12, largest_database=150)
    yield world
    world.close()


def get(site: Site, path: str) -> Response:
    path, _, query = path.partition("?")
    return site.respond(Request("GET", site.plan.host, path, query))


def tidy_site(world: World, layout: str) -> Site:
    """A site whose pages lxml reads as they were written, and which are the same twice."""
    return next(
        world.site(number)
        for number in world.numbers
        if (plan := world.plan(number)).look.layout == layout
        and not (plan.look.leaves_ends_out or plan.look.stray_ends or plan.look.random_ids)
        and plan.database
        and plan.database.has_details
        and plan.database.style in ("box", "box_selects", "semicolon", "outside", "radios", "dates")
        and not (plan.traps or plan.session_ids or plan.redesign_every or world.site(number)._is_restless)
    )


def answer_path(site: Site) -> str:
    box = site.search_form.field_meaning("keywords")
    assert box is not None
    for number in range(1, 60):
        if record := site.record(number, 0):
            for word in sorted(record.title.split(), key=len, reverse=True):
                path = f"{site.search_action}?{box.name}={site.quote(word)}"
                if get(site, path).kind == "answer:results":
                    return path
    pytest.fail("this site never answers")


def page_path(site: Site, kind: str) -> str:
    match kind:
        case "article":
            return site.path(site.plan.pages - 1)
        case "record":
            record = site.record(2, 0)
            assert record is not None
            return site.record_path(record)
        case _:
            return answer_path(site)


def elements(response: Response) -> list[html.HtmlElement]:
    return [e for e in html.document_fromstring(response.body).iter() if isinstance(e.tag, str)]


def signs(response: Response) -> list[tuple[str, str]]:
    return [(str(e.tag), e.get("class", "")) for e in elements(response)]


def words_of(response: Response) -> Counter[str]:
    return Counter(" ".join(map(str, html.document_fromstring(response.body).itertext())).split())


def depth(response: Response) -> int:
    """How deep the heading stands."""
    heading = next(e for e in elements(response) if e.tag in ("h1", "h2"))
    return sum(1 for _ in heading.iterancestors())


def is_wrapped(before: Response, after: Response) -> bool:
    return depth(after) == depth(before) + 2 and len(elements(after)) == len(elements(before)) + 2


def has_more(count: int) -> Callable[[Response, Response], bool]:
    def holds(before: Response, after: Response) -> bool:
        return len(elements(after)) == len(elements(before)) + count and depth(after) == depth(before)

    return holds


def has_other_tags(before: Response, after: Response) -> bool:
    (old_tags, old_classes), (tags, classes) = (
        zip(*signs(before), strict=True),
        zip(*signs(after), strict=True),
    )
    return old_classes == classes and old_tags != tags


def has_other_classes(before: Response, after: Response) -> bool:
    (old_tags, old_classes), (tags, classes) = (
        zip(*signs(before), strict=True),
        zip(*signs(after), strict=True),
    )
    return old_tags == tags and not {*old_classes} & {*classes} - {""}


def is_reordered(before: Response, after: Response) -> bool:
    old, new = signs(before), signs(after)
    return sorted(old) == sorted(new) and old != new


def is_another_page(before: Response, after: Response) -> bool:
    old, new = {c for _, c in signs(before)}, {c for _, c in signs(after)}
    return not old & new - {""} and Counter(t for t, _ in signs(before)) != Counter(
        t for t, _ in signs(after)
    )


SHOWS = {
    "wrap": is_wrapped,
    "insert-before": has_more(1),
    "insert-both": has_more(2),
    "rename-tags": has_other_tags,
    "rename-classes": has_other_classes,
    "remove-block": has_more(-1),
    "swap": is_reordered,
    "move": is_reordered,
    "whole-page": is_another_page,
}


@pytest.mark.parametrize("name", REDESIGNS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_redesign_does_what_it_is_called_on_every_page_and_loses_nothing(
    world: World, layout: str, name: str
) -> None:
    site = tidy_site(world, layout)
    paths = {kind: page_path(site, kind) for kind in PAGE_KINDS}
    before = {kind: get(site, path) for kind, path in paths.items()}

    site.hand.redesigns.append(name)
    after = {kind: get(site, path) for kind, path in paths.items()}

    for kind in PAGE_KINDS:
        assert SHOWS[name](before[kind], after[kind]), kind
        assert sorted(after[kind].links) == sorted(before[kind].links), kind
        assert after[kind].records == before[kind].records, kind
        gone = words_of(before[kind]) - words_of(after[kind])
        assert name == "remove-block" or not {word for word in gone if word.isalnum()}, kind


def test_swap_stays_inside_the_content_and_move_outside() -> None:
    look = Look("divs", "ab", "{role}")
    parts = {
        names: [str(e.get("class")) for e in html.fragment_fromstring(page(look, names), create_parent=True)]
        for names in ((), ("swap",), ("move",))
    }

    assert parts["swap",] == parts[()]
    assert parts["move",] != parts[()]


def page(look: Look, redesigns: tuple[str, ...]) -> str:
    """A small page with all that repeats."""
    skin = Skin(look, redesigns)
    items = ["one", "two", "three", "four", "five"]
    inner = (
        skin.wrap("heading", "Title")
        + skin.pairs([(escape(label), escape(value)) for label, value in PAIRS])
        + skin.listing(items)
        + skin.grid(items)
        + skin.definitions(PAIRS[1:2])
        + skin.table(["name", "year"], [["one", "1"], ["two", "2"], ["three", "3"]])
    )
    main, nav = skin.wrap("main", inner), skin.wrap("nav", "links")
    return skin.body(nav, main, skin.wrap("side", "aside"), skin.wrap("foot", "end"), banner="Ad")


@pytest.mark.parametrize("name", [*REDESIGNS, "any"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_redesigns_never_lead_back_to_an_earlier_template(layout: str, name: str) -> None:
    look = next(look for n in range(100) if (look := look_of(n)).layout == layout)
    chance = Random(5)
    names: tuple[str, ...] = ()
    seen = {page(look, names)}
    for turn in range(1, 60):
        names += (name if name != "any" else chance.choice(REDESIGNS),)
        seen.add(page(look, names))
        assert len(seen) == turn + 1, names


def test_a_century_of_redesigns_stays_a_page_of_ordinary_size() -> None:
    look, chance = look_of("old"), Random(5)
    names = tuple(chance.choices(REDESIGNS, k=600))

    tree = html.fragment_fromstring(page(look, names), create_parent=True)

    assert max(sum(1 for _ in e.iterancestors()) for e in tree.iter()) < 20
    assert len(page(look, names)) < 2 * len(page(look, ()))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_all_that_repeats_is_readable_in_every_dialect(layout: str) -> None:
    looks = [look for n in range(150) if (look := look_of(n)).layout == layout]
    for turn, look in enumerate(looks):
        tree = html.fragment_fromstring(page(look, ("rename-tags",) * (turn % 7)), create_parent=True)
        text = " ".join(" ".join(map(str, tree.itertext())).replace(":", " ").split())

        assert " ".join(word for pair in PAIRS for word in pair) in text
        assert text.count("one two three four five") == 2
        assert "name year one 1 two 2 three 3" in text


@pytest.mark.parametrize("layout", LAYOUTS)
def test_sites_of_one_layout_differ_in_classes_and_tags(layout: str) -> None:
    looks = [look for n in range(150) if (look := look_of(n)).layout == layout]
    trees = [html.fragment_fromstring(page(look, ()), create_parent=True) for look in looks]
    classes = [{e.get("class", "") for e in tree.iter()} for tree in trees]
    tags = {tuple(e.tag for e in tree.iter()) for tree in trees}

    assert all(one != other for one, other in combinations(classes, 2))
    assert len(tags) > len(looks) / 3
