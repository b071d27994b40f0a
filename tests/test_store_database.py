from __future__ import annotations

from stores import lease_seeds

from hiddenweb.store.database import Store


def test_state_can_be_read_beside_a_crawl(store: Store) -> None:
    lease_seeds(store, "https://a.example/")
    store.commit()

    with Store(store.folder, write=False) as beside:
        assert beside.counts()["leased"] == 1
