from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SubmitRequest(_message.Message):
    __slots__ = ("header", "piece")
    HEADER_FIELD_NUMBER: _ClassVar[int]
    PIECE_FIELD_NUMBER: _ClassVar[int]
    header: SubmitHeader
    piece: bytes
    def __init__(self, header: _Optional[_Union[SubmitHeader, _Mapping]] = ..., piece: _Optional[bytes] = ...) -> None: ...

class SubmitHeader(_message.Message):
    __slots__ = ("name", "file_name")
    NAME_FIELD_NUMBER: _ClassVar[int]
    FILE_NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    file_name: str
    def __init__(self, name: _Optional[str] = ..., file_name: _Optional[str] = ...) -> None: ...

class SubmitResponse(_message.Message):
    __slots__ = ("step", "admitted", "refused")
    STEP_FIELD_NUMBER: _ClassVar[int]
    ADMITTED_FIELD_NUMBER: _ClassVar[int]
    REFUSED_FIELD_NUMBER: _ClassVar[int]
    step: Step
    admitted: Admitted
    refused: str
    def __init__(self, step: _Optional[_Union[Step, _Mapping]] = ..., admitted: _Optional[_Union[Admitted, _Mapping]] = ..., refused: _Optional[str] = ...) -> None: ...

class Step(_message.Message):
    __slots__ = ("name", "passed", "found", "output")
    NAME_FIELD_NUMBER: _ClassVar[int]
    PASSED_FIELD_NUMBER: _ClassVar[int]
    FOUND_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_FIELD_NUMBER: _ClassVar[int]
    name: str
    passed: bool
    found: str
    output: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, name: _Optional[str] = ..., passed: bool = ..., found: _Optional[str] = ..., output: _Optional[_Iterable[str]] = ...) -> None: ...

class Admitted(_message.Message):
    __slots__ = ("label", "content", "already")
    LABEL_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    ALREADY_FIELD_NUMBER: _ClassVar[int]
    label: str
    content: str
    already: bool
    def __init__(self, label: _Optional[str] = ..., content: _Optional[str] = ..., already: bool = ...) -> None: ...

class ListVersionsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListVersionsResponse(_message.Message):
    __slots__ = ("versions",)
    VERSIONS_FIELD_NUMBER: _ClassVar[int]
    versions: _containers.RepeatedCompositeFieldContainer[Version]
    def __init__(self, versions: _Optional[_Iterable[_Union[Version, _Mapping]]] = ...) -> None: ...

class Version(_message.Message):
    __slots__ = ("label", "content", "entered_at", "parked", "current", "games")
    LABEL_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    ENTERED_AT_FIELD_NUMBER: _ClassVar[int]
    PARKED_FIELD_NUMBER: _ClassVar[int]
    CURRENT_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    label: str
    content: str
    entered_at: str
    parked: str
    current: bool
    games: int
    def __init__(self, label: _Optional[str] = ..., content: _Optional[str] = ..., entered_at: _Optional[str] = ..., parked: _Optional[str] = ..., current: bool = ..., games: _Optional[int] = ...) -> None: ...

class GetStandingsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetStandingsResponse(_message.Message):
    __slots__ = ("ladder", "rows")
    LADDER_FIELD_NUMBER: _ClassVar[int]
    ROWS_FIELD_NUMBER: _ClassVar[int]
    ladder: str
    rows: _containers.RepeatedCompositeFieldContainer[Row]
    def __init__(self, ladder: _Optional[str] = ..., rows: _Optional[_Iterable[_Union[Row, _Mapping]]] = ...) -> None: ...

class Row(_message.Message):
    __slots__ = ("place", "group", "bot", "games", "score", "score_half", "rating", "rating_half", "wins", "forfeits")
    PLACE_FIELD_NUMBER: _ClassVar[int]
    GROUP_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    SCORE_HALF_FIELD_NUMBER: _ClassVar[int]
    RATING_FIELD_NUMBER: _ClassVar[int]
    RATING_HALF_FIELD_NUMBER: _ClassVar[int]
    WINS_FIELD_NUMBER: _ClassVar[int]
    FORFEITS_FIELD_NUMBER: _ClassVar[int]
    place: int
    group: int
    bot: str
    games: int
    score: float
    score_half: float
    rating: float
    rating_half: float
    wins: int
    forfeits: int
    def __init__(self, place: _Optional[int] = ..., group: _Optional[int] = ..., bot: _Optional[str] = ..., games: _Optional[int] = ..., score: _Optional[float] = ..., score_half: _Optional[float] = ..., rating: _Optional[float] = ..., rating_half: _Optional[float] = ..., wins: _Optional[int] = ..., forfeits: _Optional[int] = ...) -> None: ...

class CompareBotsRequest(_message.Message):
    __slots__ = ("one", "two")
    ONE_FIELD_NUMBER: _ClassVar[int]
    TWO_FIELD_NUMBER: _ClassVar[int]
    one: str
    two: str
    def __init__(self, one: _Optional[str] = ..., two: _Optional[str] = ...) -> None: ...

class CompareBotsResponse(_message.Message):
    __slots__ = ("one", "two", "games", "difference", "half", "wins", "ties", "losses")
    ONE_FIELD_NUMBER: _ClassVar[int]
    TWO_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    DIFFERENCE_FIELD_NUMBER: _ClassVar[int]
    HALF_FIELD_NUMBER: _ClassVar[int]
    WINS_FIELD_NUMBER: _ClassVar[int]
    TIES_FIELD_NUMBER: _ClassVar[int]
    LOSSES_FIELD_NUMBER: _ClassVar[int]
    one: str
    two: str
    games: int
    difference: float
    half: float
    wins: int
    ties: int
    losses: int
    def __init__(self, one: _Optional[str] = ..., two: _Optional[str] = ..., games: _Optional[int] = ..., difference: _Optional[float] = ..., half: _Optional[float] = ..., wins: _Optional[int] = ..., ties: _Optional[int] = ..., losses: _Optional[int] = ...) -> None: ...

class ListGamesRequest(_message.Message):
    __slots__ = ("bot", "after")
    BOT_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    bot: str
    after: str
    def __init__(self, bot: _Optional[str] = ..., after: _Optional[str] = ...) -> None: ...

class ListGamesResponse(_message.Message):
    __slots__ = ("games", "more")
    GAMES_FIELD_NUMBER: _ClassVar[int]
    MORE_FIELD_NUMBER: _ClassVar[int]
    games: _containers.RepeatedCompositeFieldContainer[Game]
    more: str
    def __init__(self, games: _Optional[_Iterable[_Union[Game, _Mapping]]] = ..., more: _Optional[str] = ...) -> None: ...

class Game(_message.Message):
    __slots__ = ("id", "deal", "seats", "log")
    ID_FIELD_NUMBER: _ClassVar[int]
    DEAL_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    LOG_FIELD_NUMBER: _ClassVar[int]
    id: str
    deal: int
    seats: _containers.RepeatedCompositeFieldContainer[Seat]
    log: bool
    def __init__(self, id: _Optional[str] = ..., deal: _Optional[int] = ..., seats: _Optional[_Iterable[_Union[Seat, _Mapping]]] = ..., log: bool = ...) -> None: ...

class Seat(_message.Message):
    __slots__ = ("bot", "total", "place", "forfeited")
    BOT_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    FORFEITED_FIELD_NUMBER: _ClassVar[int]
    bot: str
    total: int
    place: int
    forfeited: bool
    def __init__(self, bot: _Optional[str] = ..., total: _Optional[int] = ..., place: _Optional[int] = ..., forfeited: bool = ...) -> None: ...

class DownloadLogRequest(_message.Message):
    __slots__ = ("game",)
    GAME_FIELD_NUMBER: _ClassVar[int]
    game: str
    def __init__(self, game: _Optional[str] = ...) -> None: ...

class DownloadLogResponse(_message.Message):
    __slots__ = ("piece",)
    PIECE_FIELD_NUMBER: _ClassVar[int]
    piece: bytes
    def __init__(self, piece: _Optional[bytes] = ...) -> None: ...

class PlayUnratedRequest(_message.Message):
    __slots__ = ("bot", "opponents")
    BOT_FIELD_NUMBER: _ClassVar[int]
    OPPONENTS_FIELD_NUMBER: _ClassVar[int]
    bot: str
    opponents: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, bot: _Optional[str] = ..., opponents: _Optional[_Iterable[str]] = ...) -> None: ...

class PlayUnratedResponse(_message.Message):
    __slots__ = ("result", "piece", "refused")
    RESULT_FIELD_NUMBER: _ClassVar[int]
    PIECE_FIELD_NUMBER: _ClassVar[int]
    REFUSED_FIELD_NUMBER: _ClassVar[int]
    result: UnratedResult
    piece: bytes
    refused: str
    def __init__(self, result: _Optional[_Union[UnratedResult, _Mapping]] = ..., piece: _Optional[bytes] = ..., refused: _Optional[str] = ...) -> None: ...

class UnratedResult(_message.Message):
    __slots__ = ("seats",)
    SEATS_FIELD_NUMBER: _ClassVar[int]
    seats: _containers.RepeatedCompositeFieldContainer[Seat]
    def __init__(self, seats: _Optional[_Iterable[_Union[Seat, _Mapping]]] = ...) -> None: ...
