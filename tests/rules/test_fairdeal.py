"""The fair deal: published vectors, the same numbers worked out again with plain hmac, and the rejection of words."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtref.rules import fairdeal
from mtref_sdk.tiles import TILE_BY_CODE, tiles_of

DATA = Path(__file__).parent / "data"
ROUND_VECTORS: list[dict[str, Any]] = json.loads((DATA / "fairdeal_vectors.json").read_text("utf-8"))
SEED_VECTORS: list[dict[str, Any]] = json.loads((DATA / "seed_vectors.json").read_text("utf-8"))
SEED = bytes(range(32))


def hmac_sha256(key: bytes, *parts: bytes) -> bytes:
    return hmac.new(key, b"".join(parts), hashlib.sha256).digest()


def texts(deck: list[int]) -> list[str]:
    return [str(TILE_BY_CODE[code]) for code in deck]


def check_deck(deck: list[int], vector: dict[str, Any]) -> None:
    told = texts(deck)
    assert told[:10] == vector["first10"]
    assert told[-3:] == vector["last3"]
    assert hashlib.sha256(",".join(told).encode()).hexdigest() == vector["deck_sha256"]


@pytest.mark.parametrize("vector", ROUND_VECTORS)
def test_published_vectors_of_commitment_and_shuffle(vector: dict[str, Any]) -> None:
    seed, game = bytes.fromhex(vector["seed"]), vector["game_id"]
    given_by_seats = [bytes.fromhex(text) for text in vector["contribs"]]
    mix = fairdeal.NO_CONTRIBUTIONS
    if given_by_seats:
        label = b"mtref/contrib/v1\0" + bytes([len(given_by_seats)])
        mix = hashlib.sha256(label + b"".join(given_by_seats)).digest()
    key = fairdeal.round_key(seed, game, vector["round"], mix)
    assert fairdeal.commitment(seed, game).hex() == vector["commit"]
    assert key.hex() == vector["round_key"]
    check_deck(fairdeal.shuffled(vector["max_pip"], key), vector)
    if not given_by_seats:
        check_deck(fairdeal.deck(seed, game, vector["round"], vector["max_pip"]), vector)


@pytest.mark.parametrize("vector", SEED_VECTORS, ids=lambda vector: f"deal {vector['deal_id']}")
def test_vectors_from_a_seed_text_to_the_decks(vector: dict[str, Any]) -> None:
    master = fairdeal.master_seed(vector["seed_text"])
    seed = fairdeal.deal_seed(master, vector["deal_id"])
    assert master.hex() == vector["master_seed"]
    assert seed.hex() == vector["deal_seed"]
    assert fairdeal.commitment(seed, vector["deal_id"]).hex() == vector["commit"]
    assert fairdeal.first_starter(seed, vector["seats"]) == vector["first_starter"]
    private = [fairdeal.private_seed(seed, seat).hex() for seat in range(vector["seats"])]
    assert private == vector["private_seeds"]
    for deck in vector["decks"]:
        check_deck(fairdeal.deck(seed, vector["deal_id"], deck["round"], vector["tile_set"]), deck)


def reference_below(key: bytes, bounds: list[int]) -> list[int]:
    """Numbers below each bound, from the stream of `key`: written as the rulebook says it, and not as the code does."""
    words: list[int] = []
    for block in range(4000):
        data = hmac_sha256(key, b"mtref/stream/v1\0", block.to_bytes(8, "big"))
        words += [int.from_bytes(data[at : at + 4], "big") for at in range(0, 32, 4)]
        if len(words) > len(bounds) + 8:
            break
    found = []
    for bound in bounds:
        while words[0] >= 2**32 - 2**32 % bound:
            del words[0]
        found.append(words.pop(0) % bound)
    return found


@given(
    text=st.text(max_size=20),
    deal=st.text(min_size=1, max_size=8),
    seats=st.integers(2, 10),
    tile_set=st.sampled_from((6, 9, 12, 15, 18)),
    round_number=st.integers(1, 19),
)
def test_everything_can_be_worked_out_again_with_plain_hmac(
    text: str, deal: str, seats: int, tile_set: int, round_number: int
) -> None:
    master = hashlib.sha256(text.encode()).digest()
    seed = hmac_sha256(master, b"mtref/deal/v1\0", deal.encode())
    assert fairdeal.deal_seed(fairdeal.master_seed(text), deal) == seed

    name = len(deal.encode()).to_bytes(2, "big") + deal.encode()
    assert fairdeal.commitment(seed, deal) == hashlib.sha256(b"mtref/commit/v1\0" + name + seed).digest()

    starter_key = hmac_sha256(seed, b"mtref/starter/v1\0")
    assert fairdeal.first_starter(seed, seats) == reference_below(starter_key, [seats])[0]
    for seat in range(seats):
        assert fairdeal.private_seed(seed, seat) == hmac_sha256(seed, b"mtref/private/v1\0", bytes([seat]))

    key = hmac_sha256(seed, b"mtref/round/v1\0", name, bytes(32), round_number.to_bytes(4, "big"))
    tiles = [f"{low}-{high}" for low in range(tile_set + 1) for high in range(low, tile_set + 1)]
    places = list(range(len(tiles) - 1, 0, -1))
    for place, other in zip(places, reference_below(key, [place + 1 for place in places]), strict=True):
        tiles[place], tiles[other] = tiles[other], tiles[place]
    assert texts(fairdeal.deck(seed, deal, round_number, tile_set)) == tiles


class Words(fairdeal.WordStream):
    """A stream whose words are given."""

    def __init__(self, *words: int) -> None:
        super().__init__(SEED)
        self._given = list(words)

    def word(self) -> int:
        return self._given.pop(0)


def test_words_above_the_last_whole_multiple_are_thrown_away() -> None:
    limit = 2**32 - 2**32 % 10
    assert Words(limit, 2**32 - 1, limit - 1).below(10) == (limit - 1) % 10
    assert Words(limit - 1, 0).below(10) == 9


def test_a_power_of_two_throws_nothing_away() -> None:
    assert Words(2**32 - 1).below(8) == 7
    assert Words(2**32 - 1).below(1) == 0


def test_large_bounds_reject_about_as_often_as_they_should() -> None:
    """Just above half the range nearly every second word is thrown away, so the branch runs on real words too."""
    bound = 2**31 + 1
    stream = fairdeal.WordStream(SEED)
    numbers = [stream.below(bound) for _ in range(500)]
    words = fairdeal.WordStream(SEED)
    accepted = [word for word in (words.word() for _ in range(2000)) if word < bound]
    assert numbers == accepted[:500]


def test_a_deck_is_the_whole_set_and_rounds_differ() -> None:
    seen = set()
    for round_number in range(1, 14):
        deck = fairdeal.deck(SEED, "1", round_number, 12)
        assert sorted(deck) == [tile.code for tile in tiles_of(12)]
        seen.add(tuple(deck))
    assert len(seen) == 13


def test_nothing_two_labels_or_deals_give_is_alike() -> None:
    derived = [fairdeal.deal_seed(SEED, str(deal)) for deal in range(1, 50)]
    derived += [fairdeal.private_seed(SEED, seat) for seat in range(10)]
    derived += [
        fairdeal.commitment(SEED, "1"),
        fairdeal.commitment(SEED, "2"),
        fairdeal.round_key(SEED, "1", 1),
    ]
    assert len(set(derived)) == len(derived)


def test_first_starters_are_spread_evenly() -> None:
    counts = Counter(fairdeal.first_starter(fairdeal.deal_seed(SEED, str(deal)), 4) for deal in range(2000))
    assert sorted(counts) == [0, 1, 2, 3]
    assert max(counts.values()) - min(counts.values()) < 120


def test_first_places_of_the_deck_are_spread_evenly() -> None:
    counts = Counter(fairdeal.deck(SEED, str(deal), 1, 6)[0] for deal in range(2800))
    assert len(counts) == 28
    assert 60 < min(counts.values()) <= max(counts.values()) < 140


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33)])
def test_a_seed_of_the_wrong_length_is_refused(seed: bytes) -> None:
    for use in (
        lambda: fairdeal.deal_seed(seed, "1"),
        lambda: fairdeal.commitment(seed, "1"),
        lambda: fairdeal.deck(seed, "1", 1, 6),
        lambda: fairdeal.first_starter(seed, 2),
        lambda: fairdeal.private_seed(seed, 0),
    ):
        with pytest.raises(ValueError, match="a seed has 32 bytes"):
            use()
