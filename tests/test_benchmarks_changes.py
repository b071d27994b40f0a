"""The changes benchmark measures what it says, and notices when it cannot."""

from __future__ import annotations

import re
import sys
from contextlib import closing
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import pytest

from benchmarks import _changes_urlwatch as urlwatch
from benchmarks._changes_again import count_missed, page_of
from benchmarks._changes_correctness import ROUNDS, simulate
from benchmarks._changes_kills import revisit_killed
from benchmarks._changes_plain import plain_alarms, rounds
from benchmarks._changes_processes import Failed, run
from benchmarks._changes_site import html, indexes, path, slow_site
from benchmarks._changes_speed import OURS_N, PAPER_N, QUICK, Speed, figures_of, fill, revisit
from benchmarks._changes_threads import Texts, one_thread, text_of, three_sections, two_sections
from benchmarks._changes_urlwatch import Watched, watch
from benchmarks.changes import list_missed_targets

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

SEED, PAGES = 7, 14

WATCHER = """
import re, sys, urllib.request
if "--version" in sys.argv:
    print("urlwatch 0.1")
    raise SystemExit
for url in re.findall(r"url: (\\S+)", open(sys.argv[sys.argv.index("--urls") + 1]).read()){}:
    urllib.request.urlopen(url).read()
"""


# The site


def test_links_lead_to_every_page() -> None:
    found, waiting = {0}, [0]
    while waiting:
        links = re.findall(r'href="/page/(\d+)\.html"', html(SEED, waiting.pop(), 250))
        new = {int(link) for link in links} - found
        found |= new
        waiting += sorted(new)

    assert found == set(range(250))
    assert indexes(250) == 3


def test_every_page_says_something_else_in_the_next_edition_and_stays_what_it_was_within_one() -> None:
    for number in range(20):
        first, again = (html(SEED, number, PAGES, edition=1) for _ in range(2))
        second = html(SEED, number, PAGES, edition=2)
        assert first == again
        assert len(set(second.split()) - set(first.split())) > 0


# The paper's configurations


@pytest.mark.parametrize("look", [three_sections, two_sections])
def test_threads_look_at_every_page_once_and_notice_a_change(
    look: Callable[[Sequence[str], Texts, int], float], tmp_path: Path
) -> None:
    with slow_site(SEED, PAGES, 0.01) as site, closing(Texts(tmp_path / "texts")) as texts:
        numbered = enumerate(site.urls())
        texts.keep((url, text_of(html(SEED, number, PAGES).encode(), url)) for number, url in numbered)

        assert one_thread(site.urls(3), texts) > 3 * 0.01
        assert site.take_counts() == (3, 3)
        assert 0 < look(site.urls(), texts, 4) < 60  # seconds, on however slow a machine
        assert site.take_counts() == (PAGES, PAGES)

        site.change()
        with pytest.raises(Failed, match=f"{PAGES} pages changed"):
            look(site.urls(), texts, 4)


# Ours


def test_ours_looks_at_all_pages_and_loses_none_when_a_worker_is_killed(tmp_path: Path) -> None:
    with slow_site(SEED, PAGES, 0.0) as site:
        fill(site, tmp_path)
        ran = revisit(site, tmp_path, 8, PAGES)
        killed = revisit_killed(site, tmp_path / "state", 8, PAGES, 1, Random(SEED))

    assert 0 < ran.elapsed < ran.wall
    assert ran.cpu > 0.1
    assert ran.rss_mb > 20
    assert (killed.lost, killed.told_twice, killed.pages) == (0, 0, PAGES)


def test_a_command_that_fails_gives_no_figure(tmp_path: Path) -> None:
    with pytest.raises(Failed, match="code 3"):
        run([sys.executable, "-c", "raise SystemExit(3)"], tmp_path / "log")


# urlwatch


def watcher(folder: Path, slice_: str = "") -> str:
    file = folder / "urlwatch"
    file.write_text(f"#!{sys.executable}\n{WATCHER.format(slice_)}", encoding="utf-8")
    file.chmod(0o755)
    return str(file)


def test_a_watcher_is_measured_on_its_second_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(urlwatch.NAMED, watcher(tmp_path))
    command = urlwatch.command()
    assert command is not None
    with slow_site(SEED, PAGES, 0.0) as site:
        watched = watch(command, site, PAGES, tmp_path / "jobs")

    assert (watched.pages, watched.version) == (PAGES, "0.1")
    assert watched.ms > 100, "one at a time, each after 200 ms"


def test_a_watcher_that_leaves_pages_out_has_no_figures(tmp_path: Path) -> None:
    with slow_site(SEED, PAGES, 0.0) as site, pytest.raises(Failed, match=f"wanted {PAGES} pages twice"):
        watch(watcher(tmp_path, "[:5]"), site, PAGES, tmp_path / "jobs")


# Correctness


def test_others_are_shown_the_same_pages_as_ours() -> None:
    ours = simulate(Random(3), pages=100)
    plain = plain_alarms(Random(3), pages=100)

    assert plain.found + plain.missed == ours.found + len(ours.missed) + len(ours.wrong_words)
    assert plain.missed == 0
    assert sum(plain.false_alarms[1:]) > ours.late_alarms
    assert [len(came) for came in rounds(Random(3), 100)] == [100] * ROUNDS


def test_a_paragraph_has_new_words_in_every_edition_and_the_rest_of_the_page_has_not() -> None:
    pages = [page_of(SEED, 100, edition).split() for edition in (1, 2, 3)]

    assert [len(words) - len(pages[0]) for words in pages] == [0, 3, 6]
    assert set(pages[0]) <= set(pages[1]) <= set(pages[2])
    assert count_missed(SEED, pages=10)[0] == 3


# Figures

SPEED = Speed(
    alone=200.0,
    three_sections={PAPER_N: 4.0, OURS_N: 3.0},
    two_sections={PAPER_N: 4.0, OURS_N: 3.0},
    ours={PAPER_N: 4.0, OURS_N: 2.0},
    with_start_up=5.0,
    cpu_ms=1.5,
    rss_mb=100.0,
)


def test_figures_of_urlwatch_are_null_without_it() -> None:
    figures = figures_of(SPEED, QUICK)

    assert figures["reduction_vs_single"] == 0.99
    assert figures["cpu_vs_urlwatch"] is None
    assert list_missed_targets(figures) == []


def test_a_target_that_is_missed_is_named() -> None:
    speed = replace(SPEED, watched=Watched(100, cpu_ms=1.0, ms=20.0, rss_mb=50.0, version="2.29"))

    assert list_missed_targets(figures_of(speed, QUICK)) == [
        "MISSED: cpu_vs_urlwatch is 1.5, wanted is at most 1.0"
    ]


def test_paths_are_addresses() -> None:
    assert [path(0), path(3)] == ["/", "/page/3.html"]
