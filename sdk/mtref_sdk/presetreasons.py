"""Why each preset has the values it has, as plain data: one short reason an option, and which of them are our reading.

Documents: 000 playboard, 001 dominos-cc, 002 online-table, 003 cubano, 004 traditional. No code lives here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["GENERAL_REASONS", "READINGS", "REASONS"]

GENERAL_REASONS: Final[Mapping[str, str]] = {
    "tile_set": "a double-twelve set of 91 tiles",
    "engine": "the double is put in the centre before anybody takes tiles",
    "engine_search": "no effect: nobody has to look for the engine",
    "first_turn_run": "it knows no such rule",
    "mexican_trains": "it speaks of one common train",
    "boneyard": "what is left over is drawn from",
    "draws": "it describes the draw for the tile after a double without any limit for the turn",
    "trainless_draw": "a seat draws one tile, with a train or without",
    "failed_draw_opens": "whoever passes is marked, whatever is left to draw",
    "marker_on_draw_elsewhere": "a seat is marked for passing, and a seat that played did not pass",
    "marker_removal": "the owner's next tile on the train takes the marker off",
    "lock": "a double left open binds whoever plays next, until somebody covers it",
    "finish_on_double": "a double may be the last tile",
    "block": "the boneyard is empty and nobody can play",
    "double_blank": "it is silent; a blank has no pips",
}
"""Reasons that hold for a preset unless `REASONS` has its own."""

REASONS: Final[Mapping[str, Mapping[str, str]]] = {
    "playboard": {
        "seats": "hands are given for two, and for three or four",
        "hand": "16 tiles for two players, 15 for three or four",
        "rounds": "four rounds online; 8 and 13 are its other lengths",
        "starter": "it is silent; the first seat is drawn from the deal's seed, then the start goes round the table",
        "opening": "until its train has a tile a seat may play nowhere else; a tile somebody else lays there counts too",
        "draws": "one draw a turn is the limit, in so many words",
        "failed_draw_opens": "three passages speak for an empty boneyard only; the one that lists when a seat passes, "
        "its section on doubles and all other documents mark always",
        "marker_on_draw_elsewhere": "a train opens in one way only, by passing",
        "follow_up": "only on that double, on that very train",
        "lock": "the double is the business of the seat that laid it and of nobody else; it is over with the turn",
        "lock_order": "no effect: no double binds after its turn",
        "dead_double": "it makes no exception for a double nobody can cover",
        "finish_on_double": "its picture of going out does it with 4-4",
        "block": "the boneyard is dry and everybody is stuck",
    },
    "dominos-cc": {
        "seats": "two, three or four players",
        "hand": "15 tiles each",
        "rounds": "six rounds, from double-twelve to double-seven; 13 is named as the traditional length",
        "starter": "who begins changes from round to round; that it goes round the table, and that the first seat is "
        "drawn from the deal's seed, is our reading",
        "opening": "an engine tile starts the own or the Mexican train, as one likes",
        "follow_up": "the extra tile may go on any train where it is legal, not only on the double",
        "lock_order": "it is silent on several doubles; in the order laid, as documents 002 and 004 have it",
        "dead_double": "it is silent; otherwise a round could end behind a double nobody can cover",
        "finish_on_double": "a last tile that is a double simply goes out",
        "block": "the boneyard is empty and all have passed in a row",
        "double_blank": "the double blank costs nothing by default",
    },
    "online-table": {
        "seats": "hands are given for two to eight",
        "hand": "15 tiles for two to four, 12 for five or six, 10 for seven or eight",
        "rounds": "engines go down from 12 and no end is named; the full game uses them all",
        "starter": "it is silent; the first seat is drawn from the deal's seed, then the start goes round the table",
        "opening": "own train, Mexican train or a marked one, from the first turn on",
        "first_turn_run": "a family rule that is off unless the host turns it on",
        "follow_up": "the next tile must cover the double",
        "lock_order": "several doubles are covered in the order they were laid",
        "dead_double": "a double whose number is all on the table blocks no longer",
        "finish_on_double": "a round may end with a double as the last tile",
    },
    "cubano": {
        "tile_set": "double-nine is the smallest of the sets it names, for up to four players",
        "seats": "double-nine is for up to four",
        "hand": "equal hands that leave a boneyard of about twice as many tiles as players; the exact number is ours: "
        "two a seat, and what cannot be shared out",
        "rounds": "every double down to the double blank",
        "starter": "the winner of a round begins the next; that round 1 is drawn from the deal's seed, and who begins after "
        "a blocked round, is our reading",
        "opening": "in the first turn everybody must start a train; after that it sets no limit",
        "draws": "its section on doubles has a draw of its own for the tile owed",
        "follow_up": "the next tile goes on the double just laid",
        "lock_order": "nobody may play elsewhere until all are covered, in no order",
        "dead_double": "it is silent; otherwise a round could end behind a double nobody can cover",
        "finish_on_double": "it is silent; a round ends with the last tile, and it makes no exception for doubles",
        "marker_removal": "the marker stays until the owner plays on that train",
        "block": "the game is closed and nobody can lay a tile",
    },
    "traditional": {
        "seats": "hands are given for up to ten",
        "hand": "12 tiles for up to six, 10 for seven or eight, 8 for nine or ten",
        "rounds": "a session has 13 games, from 12-12 to 0-0",
        "engine": "everybody takes tiles first, then whoever has the double lays it",
        "engine_search": "nobody has it: one tile at a time, clockwise, until it is found",
        "starter": "whoever lays the engine begins",
        "opening": "the first turn is for the own train; it is ours that a waiting double comes first all the same, and that "
        "later, without a train, only a Mexican train that has a tile is open to the seat",
        "mexican_trains": "a tile with the engine's number may start another one in any turn; it speaks of several coins",
        "draws": "the paragraph on doubles is garbled; as in documents 001 to 003",
        "trainless_draw": "it can be read as drawing on within the turn; but a step later one tile is drawn and the turn "
        "passes on, and waiting for somebody's Mexican train makes sense only over several turns",
        "marker_on_draw_elsewhere": "one sentence can be read otherwise; the one before ends the turn with any tile played",
        "marker_removal": "it does not say when the coin comes off; as in all other documents",
        "follow_up": "the next tile may go anywhere, be another double, and so on; the paragraph is garbled but says so",
        "lock_order": "in the order they were played",
        "dead_double": "it is silent; otherwise a round could end behind a double nobody can cover",
        "finish_on_double": "one may go out with a double, and the round ends at once",
        "block": "no other tile can be played",
    },
    "playboard-8": {"rounds": "eight rounds, one of its lengths for playing alone"},
    "playboard-13": {"rounds": "thirteen rounds, one of its lengths for playing alone"},
    "dominos-cc-13": {"rounds": "the full traditional game it mentions, double-twelve to double blank"},
    "online-table-family": {
        "first_turn_run": "its family rule: lay as many tiles as you like at home at first"
    },
    "cubano-12": {
        "tile_set": "double-twelve is one of the sets it names",
        "seats": "it only says that larger sets are for more players",
    },
    "cubano-15": {
        "tile_set": "double-fifteen is one of the sets it names",
        "seats": "it only says that larger sets are for more players",
    },
    "cubano-holder": {
        "engine": "its variant: whoever has the highest double lays it; one nobody has is skipped and used when it can be",
        "engine_search": "no effect: an engine nobody holds comes from the boneyard",
        "starter": "its variant: whoever has the double begins",
    },
    "cubano-aggressive": {
        "follow_up": "its variant: a second double may answer the first, then one more tile"
    },
    "cubano-no-cover": {
        "follow_up": "its variant: a double gives the chance to play again, and no duty",
        "lock": "its variant: doubles are not covered",
        "lock_order": "no effect: no double binds after its turn",
        "dead_double": "no effect: no double binds after its turn",
    },
    "cubano-forgetful": {
        "marker_removal": "its variant: a marker left up by mistake may come off in the next turn",
    },
    "cubano-forgetful-deal": {
        "marker_removal": "its variant, the word for the time read as the whole deal: a marker left up stays",
    },
    "cubano-no-boneyard": {
        "boneyard": "its variant: the rest is put away and not used",
        "hand": "its variant: as many tiles as can be shared out evenly",
        "draws": "no effect: there is nothing to draw",
        "trainless_draw": "no effect: there is nothing to draw",
        "failed_draw_opens": "no effect: there is nothing to draw",
        "marker_on_draw_elsewhere": "no effect: there is nothing to draw",
    },
    "cubano-no-mexican": {"mexican_trains": "its variant: only the players' own trains"},
}
"""The reasons of each document's preset, and of each named variant where it differs from its base."""

READINGS: Final[Mapping[str, frozenset[str]]] = {
    "playboard": frozenset({"starter", "failed_draw_opens", "double_blank"}),
    "dominos-cc": frozenset({"lock_order", "dead_double"}),
    "online-table": frozenset({"rounds", "starter", "double_blank"}),
    "cubano": frozenset({"opening", "dead_double", "finish_on_double", "double_blank"}),
    "traditional": frozenset(
        {"opening", "draws", "dead_double", "trainless_draw", "marker_removal", "double_blank"}
    ),
    "cubano-12": frozenset({"seats"}),
    "cubano-15": frozenset({"seats"}),
}
"""The options whose value is our reading: the document is silent there, or contradicts itself."""
