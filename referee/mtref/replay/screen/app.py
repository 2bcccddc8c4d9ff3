"""The full-screen viewer: widgets, keys, playing. Where it stands is in `position`, what it shows in `drawing` and `words`."""

from __future__ import annotations

from typing import ClassVar, Final

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, VerticalScroll
from textual.events import Key, Resize
from textual.screen import ModalScreen
from textual.timer import Timer
from textual.widgets import Footer, Input, Static

from mtref.replay.reader import LogReader
from mtref.replay.records import LogDecision, LogFault
from mtref.replay.screen.drawing import draw_choice, draw_table
from mtref.replay.screen.position import Position, Way
from mtref.replay.screen.words import sentence
from mtref.replay.tape import Goal, Tape
from mtref.text import escape
from mtref_sdk.events import RoundStarted, TurnStarted

__all__ = ["KEYS", "SHOWN_AS", "ReplayApp", "show"]

NARROW = 100
"""Below so many columns the events stand under the table instead of beside it."""

SECONDS_A_STEP = 0.6

KEYS: Final[tuple[tuple[str, str, str], ...]] = (
    ("right", "go('step', 1)", "step"),
    ("left", "go('step', -1)", "step back"),
    ("t", "go('turn', 1)", "turn"),
    ("T", "go('turn', -1)", "turn back"),
    ("r", "go('round', 1)", "round"),
    ("R", "go('round', -1)", "round back"),
    ("d", "go('decision', 1)", "decision (of the seat in view, or of any)"),
    ("D", "go('decision', -1)", "decision back"),
    ("f", "go('fault', 1)", "fault"),
    ("F", "go('fault', -1)", "fault back"),
    ("home", "end(-1)", "first step"),
    ("end", "end(1)", "last step"),
    ("g", "ask('line')", "go to a line"),
    ("slash", "ask('search')", "search"),
    ("n", "again(1)", "next found"),
    ("N", "again(-1)", "previous found"),
    ("v", "look_next", "eyes: everybody's, then each seat's"),
    ("a", "look(-1)", "everybody's eyes"),
    ("space", "play", "play, pause"),
    ("up", "scroll(-1)", "scroll the table up"),
    ("down", "scroll(1)", "scroll the table down"),
    ("pageup", "scroll(-12)", "scroll up a lot"),
    ("pagedown", "scroll(12)", "scroll down a lot"),
    ("question_mark", "keys", "keys"),
    ("q", "quit", "quit"),
)
"""Keys by the toolkit's names, the action each stands for, and what it does in words. The seats' digits come besides."""

_IN_FOOTER: Final = {"right", "t", "r", "d", "f", "g", "slash", "v", "space", "question_mark", "q"}
SHOWN_AS: Final = {
    "right": "→", "left": "←", "slash": "/", "question_mark": "?", "up": "↑", "down": "↓", "pageup": "PgUp",
    "pagedown": "PgDn", "home": "Home", "end": "End", "space": "Space",
}  # fmt: skip
"""How a key is written, where that is not its name."""


class Keys(ModalScreen[None]):
    """The list of keys; any key closes it."""

    CSS = "Keys { align: center middle; } Keys > Static { width: auto; height: auto; padding: 1 2; background: $panel; }"

    def compose(self) -> ComposeResult:
        """One line a key."""
        lines = [f"{SHOWN_AS.get(key, key):>6}   {text}" for key, _, text in KEYS]
        yield Static(Text("\n".join([*lines, "  0-9   the eyes of that seat"])))

    def on_key(self) -> None:
        """Close."""
        self.dismiss()


class ReplayApp(App[None]):
    """Shows one log. With `seat` only what that seat knew is shown."""

    TITLE = "mtref replay"
    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = None  # keys are for moving until a question is asked
    CSS = """
    #said { height: auto; max-height: 3; padding: 0 1; background: $primary; color: $text; }
    #said.fault { background: $error; }
    #main { layout: horizontal; height: 1fr; }
    #scroll { width: 1fr; padding: 0 1; }
    #side { width: 48; border-left: solid $panel; padding: 0 1; }
    #choice { height: auto; max-height: 40%; margin-bottom: 1; }
    #events { height: 1fr; }
    #ask { display: none; dock: bottom; }
    #ask.asking { display: block; }
    .narrow #main { layout: vertical; }
    .narrow #scroll { width: 100%; height: 3fr; }
    .narrow #side { width: 100%; height: 2fr; border-left: none; border-top: solid $panel; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *[
            Binding(key, action, text.split(" (")[0].split(":")[0], show=key in _IN_FOOTER, key_display=SHOWN_AS.get(key))
            for key, action, text in KEYS
        ],
        *[Binding(str(seat), f"look({seat})", show=False) for seat in range(10)],
        Binding("ctrl+c", "quit", show=False),
    ]  # fmt: skip

    def __init__(self, tape: Tape, seat: int | None = None) -> None:
        super().__init__()
        self.position = Position(tape, seat)
        self._note = ""
        self._playing: Timer | None = None
        self._asking: str = "line"

    def compose(self) -> ComposeResult:
        """What is said, the table, the side with choice and events, the keys."""
        yield Static(id="said", markup=False)
        with Container(id="main"):
            with VerticalScroll(id="scroll", can_focus=False):
                yield Static(id="table", markup=False)
            with Container(id="side"):
                yield Static(id="choice", markup=False)
                yield Static(id="events", markup=False)
        yield Input(id="ask")
        yield Footer()

    def on_resize(self, event: Resize) -> None:
        """Lay out for this width, and draw when that is done."""
        self.screen.set_class(event.size.width < NARROW, "narrow")
        self.call_after_refresh(self.draw)

    def draw(self) -> None:
        """Show where we stand."""
        position, header = self.position, self.position.tape.header
        record = position.record
        eyes = "everything" if position.eyes is None else f"as seat {position.eyes} knew it"
        said = self.query_one("#said", Static)
        said.set_class(isinstance(record, LogFault), "fault")
        words = self._note or sentence(record)
        if position.broken_off:
            words += " (the log breaks off here)"
        said.update(Text(f"line {position.line}, {eyes}: {words}"))
        self._note = ""
        width = self.query_one("#scroll").size.width - 2
        self.query_one("#table", Static).update(draw_table(position.moment, header, width))
        self.query_one("#choice", Static).update(draw_choice(position.choice, header))
        events = self.query_one("#events", Static)
        events.update(self._events(events.size.height, events.size.width))

    def _events(self, height: int, width: int) -> Text:
        lines = []
        for at, record in self.position.around(max(1, height)):
            line = Text(f"{self.position.tape.steps[at].number:>5} {sentence(record)}", no_wrap=True)
            if at == self.position.index:
                style = "reverse"
            elif isinstance(record, LogFault):
                style = "red"
            elif isinstance(record, LogDecision):
                style = "dim"
            else:
                style = "bold" if isinstance(record, (TurnStarted, RoundStarted)) else ""
            line.truncate(width, overflow="ellipsis", pad=True)
            line.stylize(style)
            lines.append(line)
        return Text("\n").join(lines)

    def _moved(self, *, moved: bool, otherwise: str) -> None:
        if not moved:
            self._note = otherwise
        self.draw()

    def action_go(self, goal: Goal, by: Way) -> None:
        """To the next or previous step of a kind."""
        where = "later" if by == 1 else "earlier"
        self._moved(moved=self.position.go(goal, by), otherwise=f"there is no {where} {goal}")

    def action_end(self, by: Way) -> None:
        """To the first or the last step."""
        self._moved(moved=self.position.to_end(by), otherwise="")

    def action_look(self, seat: int) -> None:
        """With the eyes of a seat; -1 for everybody's."""
        moved = self.position.look(None if seat < 0 else seat)
        self._moved(moved=moved, otherwise="these eyes are not to be had here")

    def action_look_next(self) -> None:
        """With the next eyes."""
        self._moved(moved=self.position.look_next(), otherwise="this is the view of one seat only")

    def action_scroll(self, lines: int) -> None:
        """Scroll the table."""
        self.query_one("#scroll", VerticalScroll).scroll_relative(y=lines, animate=False)

    def action_keys(self) -> None:
        """List the keys."""
        self.push_screen(Keys())

    def action_play(self) -> None:
        """Play, or pause."""
        if self._playing is None:
            self._playing = self.set_interval(SECONDS_A_STEP, self._tick)
        else:
            self._playing.stop()
            self._playing = None

    def _tick(self) -> None:
        if not self.position.go("step", 1):
            self.action_play()
        self.draw()

    def action_ask(self, what: str) -> None:
        """Ask for a line's number or for words to search."""
        self._asking = what
        ask = self.query_one("#ask", Input)
        ask.placeholder = "line of the log" if what == "line" else "words to search, such as 3-9 or fault"
        ask.value = ""
        ask.add_class("asking")
        self.set_focus(ask)  # at once: after `focus()` keys that follow close behind would still move

    async def on_key(self, event: Key) -> None:
        """Escape gives up a question; keys that were on their way when it was asked are part of the answer."""
        ask = self.query_one("#ask", Input)
        if event.key == "escape":
            self._answered()
        elif ask.has_class("asking") and event.is_printable:
            ask.insert_text_at_cursor(event.character or "")
        elif ask.has_class("asking") and event.key == "enter":
            await ask.action_submit()

    def _answered(self) -> None:
        ask = self.query_one("#ask", Input)
        ask.remove_class("asking")
        self.set_focus(None)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go where the answer says."""
        self._answered()
        if self._asking == "search":
            self.position.sought = event.value.strip()
            self.action_again(1)
        elif event.value.strip().isdecimal():
            self._moved(moved=self.position.to_line(int(event.value)), otherwise="")
        else:
            self._moved(moved=False, otherwise="a line is a number")

    def action_again(self, by: Way) -> None:
        """To the next or previous step found by the last search."""
        words = escape(self.position.sought, 40)
        self._moved(moved=self.position.search(by), otherwise=f"nothing found: {words}")


def show(reader: LogReader, seat: int | None = None) -> None:
    """Show a log just opened until the user quits. Raises LogError before anything is shown."""
    ReplayApp(Tape(reader), seat).run()
