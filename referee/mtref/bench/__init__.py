"""What a decision costs from end to end: games over gRPC, ladders, starts, logs and journals, each against a floor that is
measured in the same run. Run it as ``python -m mtref.bench``; docs/performance.md tells what came of it. Only tests import it.

The speed of the rules core alone is `mtref.sim.bench`'s business.
"""
