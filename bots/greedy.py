"""A bot that gets rid of its heaviest tile whenever it can: what is left in the hand at the end costs its pips."""

from mtref_sdk import Bot, Decision, Move, run


class Greedy(Bot):
    """Looks at one move at a time and never ahead."""

    def choose(self, decision: Decision) -> Move:
        """The heaviest legal tile, on the own train if it fits there; the marker comes down when it may."""
        own_train = decision.observation.own_train
        move = max(decision.legal_moves, key=lambda move: self.worth(move, own_train))
        return move.lifted() if move in decision.may_lift else move

    def worth(self, move: Move, own_train: str) -> float:
        """The pips a move lays down, and a half more at home; stopping lays nothing down, and comes last."""
        return -1 if move.is_stop else move.tile.pips + (0.5 if move.train == own_train else 0)


if __name__ == "__main__":
    run(Greedy())
