"""The policy for words proposes, and required options are added."""

from __future__ import annotations

from option_shop import GENRES, Shop, begun, films, select

from hiddenweb.querying.policies.benefit.policy import BenefitPolicy
from hiddenweb.querying.policies.options.policy import OptionsPolicy
from hiddenweb.querying.query import QueryProposal
from hiddenweb.querying.query_control import ControlOption, QueryControl


def test_words_continue_where_no_choice_promises_anything() -> None:
    shop = Shop([film._replace(choices={"format": "long"}) for film in films(600)], cap=20)
    policy = OptionsPolicy(BenefitPolicy("en"), [select("format", ("long", "short"))], language="en")
    begun(shop, policy, "film", "w1")
    shop.answer(policy, QueryProposal((), 0.0, "everything"))
    shop.answer(policy, QueryProposal((), 0.0, "nothing", (("format", "short"),)))

    for _ in range(60):
        proposal = policy.next()
        assert proposal is not None
        assert proposal.words or proposal.expected >= 1
        shop.answer(policy, proposal)

    assert len(shop.found_records) > 500


def test_required_choices_take_turns_together_with_words() -> None:
    shop = Shop(films(800), cap=30)
    policy = OptionsPolicy(BenefitPolicy("en"), [select("genre", GENRES, must=True)], language="en")

    shop.surface(policy, 150)

    assert all("genre" in dict(choices) for _, choices in shop.submitted)
    assert {dict(choices)["genre"] for words, choices in shop.submitted if words} == set(GENRES)
    assert len(shop.found_records) > 600


def test_a_query_is_explained_with_the_texts_of_its_choices() -> None:
    shop = Shop(
        [record._replace(choices={"g": str(GENRES.index(record.choices["genre"]))}) for record in films()],
        cap=20,
    )
    genres = QueryControl(
        "g", "select", tuple(ControlOption(str(at), text) for at, text in enumerate(GENRES)), "Genre"
    )
    policy = OptionsPolicy(BenefitPolicy("en"), [genres], language="en")
    begun(shop, policy, "film")
    whys = []
    for _ in range(40):
        proposal = policy.next()
        assert proposal is not None
        whys.append((proposal.choices, proposal.why))
        shop.answer(policy, proposal)

    submitted = [(dict(choices)["g"], why) for choices, why in whys if choices]
    assert len(submitted) >= len(GENRES)
    assert all(f"Genre = {GENRES[int(value)]}" in why for value, why in submitted)
