"""The fair deal: every shuffle, first starter and private seed of a deal follows from one committed seed.

Bytes and a deal id go in, numbers come out; where seeds come from and when they are revealed is decided elsewhere. The
construction is written down in ``docs/rules.md`` ("Seeds") so that anybody can recompute a deal.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from functools import lru_cache
from typing import Final

from mtref_sdk.tiles import tiles_of

__all__ = [
    "NO_CONTRIBUTIONS",
    "SEED_BYTES",
    "WordStream",
    "commitment",
    "deal_seed",
    "deck",
    "first_starter",
    "master_seed",
    "private_seed",
    "round_key",
    "shuffled",
]

SEED_BYTES: Final = 32
"""The length of every seed, key and commitment."""

NO_CONTRIBUTIONS: Final = bytes(SEED_BYTES)
"""What stands for the seats' own contributions to a deal, of which version 1 has none."""

_WORDS: Final = 1 << 32

# HMAC hashes with the key, xored with the one, what it hashed with the key, xored with the other.
_INNER: Final = bytes([byte ^ 0x36 for byte in range(256)])
_OUTER: Final = bytes([byte ^ 0x5C for byte in range(256)])


def master_seed(text: str) -> bytes:
    """The master seed a text stands for: SHA-256 of its UTF-8 bytes. Such a game is repeatable, not secret.

    Bytes that are no UTF-8 and came in by Python's ``surrogateescape`` stand for themselves.
    """
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest()


def deal_seed(master: bytes, deal_id: str) -> bytes:
    """The secret of one deal. It tells nothing about the master seed or about other deals."""
    return _mac(master, b"mtref/deal/v1\0" + deal_id.encode())


def commitment(seed: bytes, deal_id: str) -> bytes:
    """What is published before the first tile: it fixes the deal and gives nothing of it away."""
    return hashlib.sha256(b"mtref/commit/v1\0" + _prefixed(deal_id) + _checked(seed)).digest()


def deck(seed: bytes, deal_id: str, round_number: int, tile_set: int) -> list[int]:
    """The codes of all tiles of the double-`tile_set` set in the order of round `round_number` (1-based) of a deal.

    The engine is still in it (R-engine-aside takes it out); hands are dealt from the front.
    """
    return shuffled(tile_set, round_key(seed, deal_id, round_number))


def first_starter(seed: bytes, seats: int) -> int:
    """The seat drawn to begin round 1, where the rule set draws one."""
    return WordStream(_mac(seed, b"mtref/starter/v1\0")).below(seats)


def private_seed(seed: bytes, seat: int) -> bytes:
    """The 32 bytes from which the bot at `seat` draws its own randomness. They tell nothing about the deal."""
    return _mac(seed, b"mtref/private/v1\0" + bytes([seat]))


def round_key(seed: bytes, deal_id: str, round_number: int, mix: bytes = NO_CONTRIBUTIONS) -> bytes:
    """The key of one round's shuffle. Knowing it opens that round and no other."""
    return _mac(seed, b"mtref/round/v1\0" + _prefixed(deal_id) + mix + struct.pack(">I", round_number))


def shuffled(tile_set: int, key: bytes) -> list[int]:
    """The codes of the double-`tile_set` set, shuffled (Fisher and Yates, from the last place down) by `key`."""
    tiles = list(_codes(tile_set))
    stream = WordStream(key)
    for place in range(len(tiles) - 1, 0, -1):
        other = stream.below(place + 1)
        tiles[place], tiles[other] = tiles[other], tiles[place]
    return tiles


@lru_cache
def _codes(tile_set: int) -> tuple[int, ...]:
    return tuple([tile.code for tile in tiles_of(tile_set)])


class WordStream:
    """Evenly distributed numbers from a key: big-endian 32-bit words of HMAC-SHA-256 blocks, counted from 0."""

    __slots__ = ("_block", "_inner", "_outer", "_words")

    def __init__(self, key: bytes) -> None:
        # What is the same of every block is hashed once: the function for one HMAC takes more than twice as long for each.
        padded = _checked(key).ljust(64, b"\0")
        self._inner = hashlib.sha256(padded.translate(_INNER) + b"mtref/stream/v1\0")
        self._outer = hashlib.sha256(padded.translate(_OUTER))
        self._block = 0
        self._words: list[int] = []  # of a block, the next one last

    def word(self) -> int:
        """The next word, 0 to 2**32 - 1."""
        if not self._words:
            inner, outer = self._inner.copy(), self._outer.copy()
            inner.update(struct.pack(">Q", self._block))
            outer.update(inner.digest())
            self._words += struct.unpack(">8I", outer.digest())[::-1]
            self._block += 1
        return self._words.pop()

    def below(self, bound: int) -> int:
        """A number from 0 to `bound` - 1, all equally likely: words above the last whole multiple are thrown away."""
        limit = _WORDS - _WORDS % bound
        while True:
            word = self.word()
            if word < limit:
                return word % bound


def _mac(key: bytes, message: bytes) -> bytes:
    return hmac.digest(_checked(key), message, "sha256")


def _checked(seed: bytes) -> bytes:
    """`seed`, which must have the full length: a short key would still give numbers, only not secret ones."""
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
    return seed


def _prefixed(text: str) -> bytes:
    """`text` in UTF-8 behind its length in two bytes, so that no two texts run into what follows alike."""
    data = text.encode()
    return struct.pack(">H", len(data)) + data
