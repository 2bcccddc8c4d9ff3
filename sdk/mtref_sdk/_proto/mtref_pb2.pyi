from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ViewMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VIEW_MODE_UNSPECIFIED: _ClassVar[ViewMode]
    VIEW_MODE_EVENTS: _ClassVar[ViewMode]
    VIEW_MODE_FULL: _ClassVar[ViewMode]

class Outcome(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OUTCOME_UNSPECIFIED: _ClassVar[Outcome]
    OUTCOME_FINISHED: _ClassVar[Outcome]
    OUTCOME_FORFEITED: _ClassVar[Outcome]
    OUTCOME_ABORTED: _ClassVar[Outcome]

class FaultKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FAULT_KIND_UNSPECIFIED: _ClassVar[FaultKind]
    FAULT_KIND_ILLEGAL_MOVE: _ClassVar[FaultKind]
    FAULT_KIND_MALFORMED: _ClassVar[FaultKind]
    FAULT_KIND_LATE: _ClassVar[FaultKind]
    FAULT_KIND_STALE: _ClassVar[FaultKind]

class EventKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EVENT_KIND_UNSPECIFIED: _ClassVar[EventKind]
    EVENT_KIND_ROUND_STARTED: _ClassVar[EventKind]
    EVENT_KIND_HAND_DEALT: _ClassVar[EventKind]
    EVENT_KIND_BONEYARD_STACKED: _ClassVar[EventKind]
    EVENT_KIND_ENGINE_SEARCH_DRAWN: _ClassVar[EventKind]
    EVENT_KIND_ENGINE_LAID: _ClassVar[EventKind]
    EVENT_KIND_TURN_STARTED: _ClassVar[EventKind]
    EVENT_KIND_TILE_PLAYED: _ClassVar[EventKind]
    EVENT_KIND_TILE_DRAWN: _ClassVar[EventKind]
    EVENT_KIND_TURN_PASSED: _ClassVar[EventKind]
    EVENT_KIND_TURN_STOPPED: _ClassVar[EventKind]
    EVENT_KIND_MARKER_RAISED: _ClassVar[EventKind]
    EVENT_KIND_MARKER_LOWERED: _ClassVar[EventKind]
    EVENT_KIND_MARKER_FORGOTTEN: _ClassVar[EventKind]
    EVENT_KIND_MARKER_RENEWED: _ClassVar[EventKind]
    EVENT_KIND_DOUBLE_BOUND: _ClassVar[EventKind]
    EVENT_KIND_DOUBLE_SATISFIED: _ClassVar[EventKind]
    EVENT_KIND_DOUBLE_RELEASED: _ClassVar[EventKind]
    EVENT_KIND_LAST_TILE_CALLED: _ClassVar[EventKind]
    EVENT_KIND_ROUND_ENDED: _ClassVar[EventKind]
    EVENT_KIND_GAME_ENDED: _ClassVar[EventKind]
VIEW_MODE_UNSPECIFIED: ViewMode
VIEW_MODE_EVENTS: ViewMode
VIEW_MODE_FULL: ViewMode
OUTCOME_UNSPECIFIED: Outcome
OUTCOME_FINISHED: Outcome
OUTCOME_FORFEITED: Outcome
OUTCOME_ABORTED: Outcome
FAULT_KIND_UNSPECIFIED: FaultKind
FAULT_KIND_ILLEGAL_MOVE: FaultKind
FAULT_KIND_MALFORMED: FaultKind
FAULT_KIND_LATE: FaultKind
FAULT_KIND_STALE: FaultKind
EVENT_KIND_UNSPECIFIED: EventKind
EVENT_KIND_ROUND_STARTED: EventKind
EVENT_KIND_HAND_DEALT: EventKind
EVENT_KIND_BONEYARD_STACKED: EventKind
EVENT_KIND_ENGINE_SEARCH_DRAWN: EventKind
EVENT_KIND_ENGINE_LAID: EventKind
EVENT_KIND_TURN_STARTED: EventKind
EVENT_KIND_TILE_PLAYED: EventKind
EVENT_KIND_TILE_DRAWN: EventKind
EVENT_KIND_TURN_PASSED: EventKind
EVENT_KIND_TURN_STOPPED: EventKind
EVENT_KIND_MARKER_RAISED: EventKind
EVENT_KIND_MARKER_LOWERED: EventKind
EVENT_KIND_MARKER_FORGOTTEN: EventKind
EVENT_KIND_MARKER_RENEWED: EventKind
EVENT_KIND_DOUBLE_BOUND: EventKind
EVENT_KIND_DOUBLE_SATISFIED: EventKind
EVENT_KIND_DOUBLE_RELEASED: EventKind
EVENT_KIND_LAST_TILE_CALLED: EventKind
EVENT_KIND_ROUND_ENDED: EventKind
EVENT_KIND_GAME_ENDED: EventKind

class FromBot(_message.Message):
    __slots__ = ("hello", "answers")
    HELLO_FIELD_NUMBER: _ClassVar[int]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    hello: Hello
    answers: _containers.RepeatedCompositeFieldContainer[Answer]
    def __init__(self, hello: _Optional[_Union[Hello, _Mapping]] = ..., answers: _Optional[_Iterable[_Union[Answer, _Mapping]]] = ...) -> None: ...

class FromReferee(_message.Message):
    __slots__ = ("welcome", "starts", "updates", "ends", "faults")
    WELCOME_FIELD_NUMBER: _ClassVar[int]
    STARTS_FIELD_NUMBER: _ClassVar[int]
    UPDATES_FIELD_NUMBER: _ClassVar[int]
    ENDS_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    welcome: Welcome
    starts: _containers.RepeatedCompositeFieldContainer[TableStart]
    updates: _containers.RepeatedCompositeFieldContainer[TableUpdate]
    ends: _containers.RepeatedCompositeFieldContainer[TableEnd]
    faults: _containers.RepeatedCompositeFieldContainer[Fault]
    def __init__(self, welcome: _Optional[_Union[Welcome, _Mapping]] = ..., starts: _Optional[_Iterable[_Union[TableStart, _Mapping]]] = ..., updates: _Optional[_Iterable[_Union[TableUpdate, _Mapping]]] = ..., ends: _Optional[_Iterable[_Union[TableEnd, _Mapping]]] = ..., faults: _Optional[_Iterable[_Union[Fault, _Mapping]]] = ...) -> None: ...

class Hello(_message.Message):
    __slots__ = ("protocol", "sdk", "view")
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    SDK_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    protocol: int
    sdk: str
    view: ViewMode
    def __init__(self, protocol: _Optional[int] = ..., sdk: _Optional[str] = ..., view: _Optional[_Union[ViewMode, str]] = ...) -> None: ...

class Welcome(_message.Message):
    __slots__ = ("protocol", "referee", "tables")
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    REFEREE_FIELD_NUMBER: _ClassVar[int]
    TABLES_FIELD_NUMBER: _ClassVar[int]
    protocol: int
    referee: str
    tables: int
    def __init__(self, protocol: _Optional[int] = ..., referee: _Optional[str] = ..., tables: _Optional[int] = ...) -> None: ...

class TableStart(_message.Message):
    __slots__ = ("table", "game", "seat", "seats", "rules", "commitment", "private_seed", "move_ms", "bank_ms")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    PRIVATE_SEED_FIELD_NUMBER: _ClassVar[int]
    MOVE_MS_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    table: int
    game: str
    seat: int
    seats: int
    rules: str
    commitment: bytes
    private_seed: bytes
    move_ms: int
    bank_ms: int
    def __init__(self, table: _Optional[int] = ..., game: _Optional[str] = ..., seat: _Optional[int] = ..., seats: _Optional[int] = ..., rules: _Optional[str] = ..., commitment: _Optional[bytes] = ..., private_seed: _Optional[bytes] = ..., move_ms: _Optional[int] = ..., bank_ms: _Optional[int] = ...) -> None: ...

class TableUpdate(_message.Message):
    __slots__ = ("table", "events", "decision", "view")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    table: int
    events: _containers.RepeatedScalarFieldContainer[int]
    decision: Decision
    view: View
    def __init__(self, table: _Optional[int] = ..., events: _Optional[_Iterable[int]] = ..., decision: _Optional[_Union[Decision, _Mapping]] = ..., view: _Optional[_Union[View, _Mapping]] = ...) -> None: ...

class Decision(_message.Message):
    __slots__ = ("id", "legal", "may_lift", "move_ms", "bank_ms")
    ID_FIELD_NUMBER: _ClassVar[int]
    LEGAL_FIELD_NUMBER: _ClassVar[int]
    MAY_LIFT_FIELD_NUMBER: _ClassVar[int]
    MOVE_MS_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    id: int
    legal: _containers.RepeatedScalarFieldContainer[int]
    may_lift: _containers.RepeatedScalarFieldContainer[int]
    move_ms: int
    bank_ms: int
    def __init__(self, id: _Optional[int] = ..., legal: _Optional[_Iterable[int]] = ..., may_lift: _Optional[_Iterable[int]] = ..., move_ms: _Optional[int] = ..., bank_ms: _Optional[int] = ...) -> None: ...

class Answer(_message.Message):
    __slots__ = ("table", "decision", "move")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    MOVE_FIELD_NUMBER: _ClassVar[int]
    table: int
    decision: int
    move: int
    def __init__(self, table: _Optional[int] = ..., decision: _Optional[int] = ..., move: _Optional[int] = ...) -> None: ...

class TableEnd(_message.Message):
    __slots__ = ("table", "outcome", "totals", "places")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    PLACES_FIELD_NUMBER: _ClassVar[int]
    table: int
    outcome: Outcome
    totals: _containers.RepeatedScalarFieldContainer[int]
    places: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, table: _Optional[int] = ..., outcome: _Optional[_Union[Outcome, str]] = ..., totals: _Optional[_Iterable[int]] = ..., places: _Optional[_Iterable[int]] = ...) -> None: ...

class Fault(_message.Message):
    __slots__ = ("table", "decision", "kind", "text")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    table: int
    decision: int
    kind: FaultKind
    text: str
    def __init__(self, table: _Optional[int] = ..., decision: _Optional[int] = ..., kind: _Optional[_Union[FaultKind, str]] = ..., text: _Optional[str] = ...) -> None: ...

class Train(_message.Message):
    __slots__ = ("train", "tiles", "end")
    TRAIN_FIELD_NUMBER: _ClassVar[int]
    TILES_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    train: int
    tiles: _containers.RepeatedScalarFieldContainer[int]
    end: int
    def __init__(self, train: _Optional[int] = ..., tiles: _Optional[_Iterable[int]] = ..., end: _Optional[int] = ...) -> None: ...

class View(_message.Message):
    __slots__ = ("round", "engine", "starter", "turn", "hand", "trains", "marked", "forgotten", "unsatisfied", "boneyard", "hand_sizes", "totals", "scores", "turns_taken", "passes", "quiet_passes", "laid", "drawn", "just_drawn", "last_tile_calls")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    ENGINE_FIELD_NUMBER: _ClassVar[int]
    STARTER_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    TRAINS_FIELD_NUMBER: _ClassVar[int]
    MARKED_FIELD_NUMBER: _ClassVar[int]
    FORGOTTEN_FIELD_NUMBER: _ClassVar[int]
    UNSATISFIED_FIELD_NUMBER: _ClassVar[int]
    BONEYARD_FIELD_NUMBER: _ClassVar[int]
    HAND_SIZES_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    TURNS_TAKEN_FIELD_NUMBER: _ClassVar[int]
    PASSES_FIELD_NUMBER: _ClassVar[int]
    QUIET_PASSES_FIELD_NUMBER: _ClassVar[int]
    LAID_FIELD_NUMBER: _ClassVar[int]
    DRAWN_FIELD_NUMBER: _ClassVar[int]
    JUST_DRAWN_FIELD_NUMBER: _ClassVar[int]
    LAST_TILE_CALLS_FIELD_NUMBER: _ClassVar[int]
    round: int
    engine: int
    starter: int
    turn: int
    hand: _containers.RepeatedScalarFieldContainer[int]
    trains: _containers.RepeatedCompositeFieldContainer[Train]
    marked: _containers.RepeatedScalarFieldContainer[int]
    forgotten: _containers.RepeatedScalarFieldContainer[int]
    unsatisfied: _containers.RepeatedScalarFieldContainer[int]
    boneyard: int
    hand_sizes: _containers.RepeatedScalarFieldContainer[int]
    totals: _containers.RepeatedScalarFieldContainer[int]
    scores: _containers.RepeatedScalarFieldContainer[int]
    turns_taken: _containers.RepeatedScalarFieldContainer[int]
    passes: int
    quiet_passes: int
    laid: _containers.RepeatedScalarFieldContainer[int]
    drawn: bool
    just_drawn: int
    last_tile_calls: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, round: _Optional[int] = ..., engine: _Optional[int] = ..., starter: _Optional[int] = ..., turn: _Optional[int] = ..., hand: _Optional[_Iterable[int]] = ..., trains: _Optional[_Iterable[_Union[Train, _Mapping]]] = ..., marked: _Optional[_Iterable[int]] = ..., forgotten: _Optional[_Iterable[int]] = ..., unsatisfied: _Optional[_Iterable[int]] = ..., boneyard: _Optional[int] = ..., hand_sizes: _Optional[_Iterable[int]] = ..., totals: _Optional[_Iterable[int]] = ..., scores: _Optional[_Iterable[int]] = ..., turns_taken: _Optional[_Iterable[int]] = ..., passes: _Optional[int] = ..., quiet_passes: _Optional[int] = ..., laid: _Optional[_Iterable[int]] = ..., drawn: bool = ..., just_drawn: _Optional[int] = ..., last_tile_calls: _Optional[_Iterable[int]] = ...) -> None: ...
