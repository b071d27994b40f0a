from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from crawling import Answer, Canary, SmallSite
from scrapy.settings import Settings

from hiddenweb.pipelines.notifications import Notifications
from hiddenweb.revisit.change import Change

if TYPE_CHECKING:
    from pathlib import Path

CHANGE = Change("content", "https://a.example/", 0.0, "a.example", "News")


def notify(folder: Path, webhook: str, allowed: str = "") -> dict[str, int]:
    """Notify a webhook of a change; return the counts."""
    rules = folder / "rules.toml"
    rules.write_text(f'[all]\nwebhook = "{webhook}"\n', encoding="utf-8")
    settings = Settings(
        {"HIDDENWEB_STATE": folder, "HIDDENWEB_ALLOW_ADDRESSES": allowed, "USER_AGENT": "hiddenweb"}
    )

    async def run() -> dict[str, int]:
        notifications = Notifications(rules, settings)
        notifications.notifier.add([CHANGE])
        await notifications.finish(0.0)
        return dict(notifications.notifier.counts)

    return asyncio.run(run())


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "localhost",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "2130706433",
        "0x7f.1",
        "0.0.0.0",
        "127.0.0.1.nip.io@127.0.0.1",
    ],
)
def test_no_webhook_reaches_into_the_own_network(tmp_path: Path, host: str) -> None:
    with Canary() as canary:
        counts = notify(tmp_path, f"http://{host}:{canary.port}/hook")

    assert canary.visits == 0
    assert counts == {"wanted": 1, "webhook failed": 1}


def test_no_webhook_is_followed_into_the_own_network(tmp_path: Path) -> None:
    with (
        Canary() as canary,
        SmallSite(lambda _: Answer(b"", 307, {"Location": f"http://127.0.0.1:{canary.port}/"})) as site,
    ):
        counts = notify(tmp_path, f"{site.url}hook", allowed=f"127.0.0.1:{site.port}")

    assert canary.visits == 0
    assert counts == {"wanted": 1, "webhook failed": 1}


@pytest.mark.parametrize(
    "address",
    [
        "http://exa mple/",
        "http://a:99999/",
        "http://%zz/",
        "http://" + "a" * 300 + ".example/",
        "https://ü..example/",
    ],
)
def test_an_address_that_is_none_fails_and_is_tried_again(tmp_path: Path, address: str) -> None:
    assert notify(tmp_path, address) == {"wanted": 1, "webhook failed": 1}
