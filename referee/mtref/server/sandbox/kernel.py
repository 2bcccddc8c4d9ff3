"""The few calls of the kernel that Python has no name for. Runs inside the sandboxes: only the standard library, and little of it."""

from __future__ import annotations

import ctypes
import os
import struct

__all__ = [
    "apply_filter",
    "bind",
    "die_with_parent",
    "give_up_capabilities",
    "landlock_version",
    "mount_tmpfs",
    "no_new_privileges",
    "own_proc_files",
    "private_mounts",
    "restrict_files",
]

_libc = ctypes.CDLL(None, use_errno=True)

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, PR_CAPBSET_DROP = 1, 4, 38, 22, 24
SECCOMP_MODE_FILTER = 2
CLONE_NEWNS = 0x00020000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 1, 2, 4, 32, 4096, 16384, 1 << 18

LANDLOCK_CREATE_RULESET, LANDLOCK_ADD_RULE, LANDLOCK_RESTRICT_SELF = (
    444,
    445,
    446,
)  # the same on every architecture
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, TRUNCATE, IOCTL_DEV = 1, 2, 4, 8, 1 << 14, 1 << 15
FILE_RIGHTS = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
RIGHTS_BY_VERSION = (0, 13, 14, 15, 15, 16)
"""How many rights over files each version of Landlock knows; later versions know as many as the last."""


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)
    return result


def _prctl(option: int, *arguments: object) -> None:
    _checked(_libc.prctl(option, *arguments), f"prctl({option})")


def die_with_parent(parent: int) -> None:
    """From now on the kernel kills this process when its parent, the process `parent`, dies."""
    _prctl(PR_SET_PDEATHSIG, 9, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def own_proc_files() -> None:
    """The files of /proc about this process are its user's again, after a change of user: as the next program would find them."""
    _prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)


def no_new_privileges() -> None:
    """From now on no program that is run gains rights (set-user-id bits and file capabilities have no effect)."""
    _prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def give_up_capabilities() -> None:
    """From the next program on even root has no rights beyond those of the owner of root's files."""
    with open("/proc/sys/kernel/cap_last_cap", encoding="ascii") as file:
        last = int(file.read())
    for capability in range(last + 1):
        _prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)


def apply_filter(program: bytes) -> None:
    """Load a seccomp filter, an array of BPF instructions; needs `no_new_privileges`."""

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))

    buffer = ctypes.create_string_buffer(program, len(program))
    description = Program(len(program) // 8, ctypes.addressof(buffer))
    _prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(description))


def private_mounts() -> None:
    """From now on this process has its own mounts, which nobody else sees."""
    _checked(_libc.unshare(CLONE_NEWNS), "unshare")
    _mount("none", "/", None, MS_REC | MS_PRIVATE)


def mount_tmpfs(target: str) -> None:
    """Cover a folder with an empty one that everybody may enter."""
    _mount("tmpfs", target, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=1m")


def bind(source: int, target: str, *, read_only: bool) -> None:
    """Make what the descriptor `source` refers to appear at `target`."""
    _mount(f"/proc/self/fd/{source}", target, None, MS_BIND | MS_REC)
    if read_only:
        _mount("none", target, None, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV)


def _mount(source: str, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    texts = [None if text is None else os.fsencode(text) for text in (source, target, kind, data)]
    _checked(_libc.mount(*texts[:3], ctypes.c_ulong(flags), texts[3]), target)


def landlock_version() -> int:
    """The version of Landlock this kernel has; 0 when it has none or it is switched off."""
    return max(0, int(_libc.syscall(LANDLOCK_CREATE_RULESET, None, ctypes.c_size_t(0), 1)))


def restrict_files(readable: list[str], listable: list[str], writable: list[str], version: int) -> None:
    """From now on only these files, and what is below these folders, can be opened; and the rest that Landlock offers.

    From version 4 on no TCP, from version 6 on no signals to and no abstract sockets of processes outside. Paths that
    do not exist are left out. Needs `no_new_privileges`.
    """
    every = (1 << RIGHTS_BY_VERSION[min(version, len(RIGHTS_BY_VERSION) - 1)]) - 1
    network, scopes = (3 if version >= 4 else 0), (3 if version >= 6 else 0)
    size = 8 if version < 4 else 16 if version < 6 else 24
    attributes = ctypes.create_string_buffer(struct.pack("QQQ", every, network, scopes)[:size], size)
    rules = _checked(_libc.syscall(LANDLOCK_CREATE_RULESET, attributes, ctypes.c_size_t(size), 0), "Landlock")
    read_rights, write_rights = EXECUTE | READ_FILE | READ_DIR, every & ~EXECUTE
    for paths, rights in ((readable, read_rights), (listable, READ_DIR), (writable, write_rights)):
        for path in paths:
            _allow(rules, path, rights & every)
    _checked(_libc.syscall(LANDLOCK_RESTRICT_SELF, rules, 0), "Landlock")
    os.close(rules)


def _allow(rules: int, path: str, rights: int) -> None:
    try:
        target = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    if not os.path.isdir(path):
        rights &= FILE_RIGHTS
    rule = ctypes.create_string_buffer(struct.pack("=QI", rights, target), 12)
    _checked(_libc.syscall(LANDLOCK_ADD_RULE, rules, 1, rule, 0), path)
    os.close(target)
