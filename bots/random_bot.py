"""A bot that plays any legal move, each as likely as the others."""

from mtref_sdk import Bot, Decision, Move, run


class RandomBot(Bot):
    """Draws from `self.rng`, the generator every bot is given, so that the same game can be played again."""

    def choose(self, decision: Decision) -> Move:
        """Any of the legal moves."""
        return self.rng.choice(decision.legal_moves)


if __name__ == "__main__":
    run(RandomBot())
