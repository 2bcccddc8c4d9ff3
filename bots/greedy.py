"""A bot that gets rid of its heaviest tile whenever it can: what is left in the hand at the end costs its pips."""

from mtref_sdk import Bot, Decision, Move, run


class Greedy(Bot):
    """Looks at nothing but the legal moves."""

    def choose(self, decision: Decision) -> Move:
        """The heaviest legal tile; of equals the first, which is a move on the own train where there is one."""
        return max(decision.legal_moves, key=self.worth)

    def worth(self, move: Move) -> int:
        """The pips a move lays down; stopping lays nothing down, and comes last."""
        return -1 if move.is_stop else move.tile.pips


if __name__ == "__main__":
    run(Greedy())
