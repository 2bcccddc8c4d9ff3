"""Archives as strangers may send them, for tests of what is taken in."""

from __future__ import annotations

import io
import stat
import tarfile
import zipfile
from collections.abc import Callable, Iterable

__all__ = ["member", "tar_of", "zip_entry", "zip_of"]

Member = tuple[tarfile.TarInfo, bytes]


def member(name: str, data: bytes = b"", kind: bytes = tarfile.REGTYPE, link: str = "") -> Member:
    """One entry of a tar."""
    info = tarfile.TarInfo(name)
    info.type, info.size, info.linkname = kind, len(data), link
    return info, data


def tar_of(members: Iterable[Member], compress: Callable[[bytes], bytes] = bytes) -> bytes:
    """A tar of such entries."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for info, data in members:
            archive.addfile(info, io.BytesIO(data))
    return compress(stream.getvalue())


def zip_entry(name: str, mode: int = stat.S_IFREG | 0o644) -> zipfile.ZipInfo:
    """The head of an entry of a zip."""
    info = zipfile.ZipInfo(name)
    info.external_attr = mode << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    return info


def zip_of(entries: Iterable[tuple[zipfile.ZipInfo | str, bytes]]) -> bytes:
    """A zip of such entries."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for info, data in entries:
            archive.writestr(info, data)
    return stream.getvalue()
