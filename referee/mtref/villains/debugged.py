"""Stops in the debugger at its first decision, and says that it went on."""

from mtref_sdk import Bot, Decision, Move, run


class Debugged(Bot):
    stopped = False

    def choose(self, decision: Decision) -> Move:
        if not self.stopped:
            breakpoint()
            print("went on after the breakpoint", flush=True)
        self.stopped = True
        return decision.legal_moves[0]


if __name__ == "__main__":
    run(Debugged())
