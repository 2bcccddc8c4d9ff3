"""Full views tell everything an observation does, but for its history."""

from __future__ import annotations

from hypothesis import given, settings

from mtref.rules.game import Game
from mtref.rules.projection import project
from mtref_sdk import Move, Observation, RuleSet
from mtref_sdk._proto import mtref_pb2 as pb
from mtref_sdk.books import Books
from mtref_sdk.events import Event
from mtref_sdk.moves import TRAINS
from mtref_sdk.tiles import Tile
from mtref_sdk.view import view_fields
from tests.rules.random_games import RULE_SETS, SEEDS, game_of, play
from tests.sdk.sample_decisions import early_decision


def observation_of(view: pb.View, rules: RuleSet, seat: int) -> Observation:
    """What a client can make of a View: written here as somebody would who has only read the protocol."""
    seats = len(view.hand_sizes)
    return Observation(
        rules,
        seats=seats,
        seat=seat,
        hand=map(Tile.from_code, view.hand),
        just_drawn=Tile.from_code(view.just_drawn) if view.HasField("just_drawn") else None,
        round_number=view.round,
        engine=view.engine,
        turn=view.turn,
        starter=view.starter,
        trains={
            TRAINS[train.train]: map(Tile.from_code, train.tiles) for train in view.trains if train.tiles
        },
        marked=view.marked,
        forgotten=view.forgotten,
        unsatisfied=[TRAINS[train] for train in view.unsatisfied],
        boneyard=view.boneyard,
        hand_sizes=view.hand_sizes,
        totals=view.totals,
        scores=[view.scores[at : at + seats] for at in range(0, len(view.scores), seats)],
        turns_taken=view.turns_taken,
        passes=view.passes,
        quiet_passes=view.quiet_passes,
        laid=map(Move.from_code, view.laid),
        drawn=view.drawn,
        last_tile_calls=view.last_tile_calls,
    )


def sent(observation: Observation) -> pb.View:
    return pb.View.FromString(pb.View(**view_fields(observation)).SerializeToString())


def test_every_field_of_the_message_is_filled() -> None:
    fields = {field.name for field in pb.View.DESCRIPTOR.fields}
    assert set(view_fields(early_decision().observation)) == fields
    assert {field.name for field, _ in sent(early_decision().observation).ListFields()} == fields - {
        "quiet_passes",
        "laid",
    }


@settings(max_examples=25)
@given(rules=RULE_SETS, seed=SEEDS)
def test_a_view_gives_back_the_observation_it_was_made_from(rules: RuleSet, seed: int) -> None:
    seats = rules.seats[seed % 2]
    books = [Books(rules, seats, seat) for seat in range(seats)]

    def listen(event: Event) -> None:
        for seat, known in enumerate(books):
            told = project(event, seat)
            if told is not None:
                known.enter(told)

    def check(game: Game) -> None:
        if not game.over:
            seen = Observation.of(books[game.turn].copy())
            again = observation_of(sent(seen), rules, game.turn)
            assert view_fields(again) == view_fields(seen)
            assert again.trains == seen.trains

    play(game_of(rules, seed, listen), seed, check)
