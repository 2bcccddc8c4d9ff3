"""A recorded game on the whole screen of a terminal. `mtref.replay.screen.app` needs a toolkit and is imported late."""
