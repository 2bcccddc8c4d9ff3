"""The system-call filter for bots, built with libseccomp. Which calls are refused and why lives here, and nothing else does.

The filter is a deny list: programs in any language must run under it. Calls that libseccomp does not know (newer than
its release) are answered with ENOSYS, as an older kernel would.
"""

from __future__ import annotations

import contextlib
import errno
import os
import socket
from typing import Any, Final

__all__ = ["FilterUnavailableError", "build_filter"]

DENIED: Final = (
    # other processes
    *("ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease", "kcmp"),
    *("pidfd_getfd", "perf_event_open"),
    # namespaces and mounts
    *("unshare", "setns", "mount", "umount2", "pivot_root", "chroot", "open_tree", "move_mount", "fsopen"),
    *("fsconfig", "fsmount", "fspick", "mount_setattr", "quotactl", "quotactl_fd", "swapon", "swapoff"),
    # files past the mount tree, and news about files of others
    *("open_by_handle_at", "name_to_handle_at", "lookup_dcookie", "fanotify_init", "fanotify_mark"),
    *("inotify_init", "inotify_init1", "inotify_add_watch", "cachestat"),
    # parts of the kernel with a history of holes, of no use to a bot
    *(
        "bpf",
        "userfaultfd",
        "io_uring_setup",
        "io_uring_enter",
        "io_uring_register",
        "vmsplice",
        "personality",
    ),
    *("add_key", "request_key", "keyctl", "uselib", "nfsservctl", "_sysctl", "modify_ldt"),
    # the machine
    *("kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module", "reboot", "acct"),
    *(
        "syslog",
        "vhangup",
        "iopl",
        "ioperm",
        "clock_settime",
        "clock_adjtime",
        "settimeofday",
        "adjtimex",
        "stime",
    ),
    # more than its share of the processors
    *(
        "sched_setaffinity",
        "sched_setattr",
        "sched_setscheduler",
        "sched_setparam",
        "setpriority",
        "ioprio_set",
    ),
    *("move_pages", "migrate_pages", "mbind", "set_mempolicy", "set_mempolicy_home_node"),
)
"""Refused with EPERM, whatever their arguments."""

SYSTEM_V: Final = (
    *("shmget", "shmat", "shmctl", "shmdt", "semget", "semop", "semtimedop", "semctl"),
    *("msgget", "msgsnd", "msgrcv", "msgctl", "mq_open", "mq_unlink"),
)
"""Shared by all processes of a machine; refused where the bot has no IPC namespace of its own."""

OWNERS: Final = (
    *("chown", "fchown", "lchown", "fchownat", "setxattr", "lsetxattr", "fsetxattr", "setxattrat"),
    *("removexattr", "lremovexattr", "fremovexattr", "removexattrat", "file_setattr"),
)
"""Of every file of the bot's user, also where it can read nothing; refused where the bot has no mounts of its own."""

MODES: Final = (
    *("chmod", "fchmod", "fchmodat", "fchmodat2"),
    *("utime", "utimes", "futimesat", "utimensat"),
)
"""The same, but called by programs that copy their own files: success without a change."""

NAMESPACE_FLAGS: Final = (
    0x00000080,
    0x00020000,
    0x02000000,
    0x04000000,
    0x08000000,
    0x10000000,
    0x20000000,
    0x40000000,
)
"""CLONE_NEW: TIME, NS, CGROUP, UTS, IPC, USER, PID, NET."""

LOCKS: Final = (6, 7, 37, 38)
"""fcntl: F_SETLK, F_SETLKW and their F_OFD forms. Locks on a file that two bots can read are a wire between them."""

NOTICES: Final = (1024, 1026)
"""fcntl: F_SETLEASE, F_NOTIFY; the same."""

TERMINAL_INPUT: Final = (0x5412, 0x541C)
"""ioctl: TIOCSTI, TIOCLINUX."""

NEWEST: Final = 512
"""Above the last call that libseccomp knows, calls up to this number do not exist for a bot."""

INT: Final = 0xFFFFFFFF
"""The part of an argument the kernel looks at where it takes an int; the rest could be anything."""


class FilterUnavailableError(Exception):
    """There is no filter to be had; the message says why."""


def build_filter(*, namespaces: bool) -> bytes:
    """The filter as a BPF program: what ``bwrap --seccomp`` and seccomp(2) take.

    `namespaces` tells that the bot gets namespaces of its own, for mounts and IPC. Raises FilterUnavailableError when libseccomp is not installed.
    """
    try:
        import pyseccomp  # noqa: PLC0415 - looks for the library when imported, and raises without it
    except (ImportError, RuntimeError) as error:
        raise FilterUnavailableError("libseccomp is not installed (Debian: libseccomp2)") from error
    try:
        return _export(_rules(pyseccomp, namespaces=namespaces))
    except OSError as error:
        raise FilterUnavailableError(f"libseccomp cannot build the filter: {error.strerror}") from error


def _rules(lib: Any, *, namespaces: bool) -> Any:
    rules = lib.SyscallFilter(lib.ALLOW)  # calls of another architecture kill the bot: libseccomp's default
    with contextlib.suppress(OSError):  # a binary tree instead of a list; libseccomp 2.5 and later
        rules.set_attr(lib.Attr.CTL_OPTIMIZE, 2)
    refuse = lib.ERRNO(errno.EPERM)

    def known(name: str) -> bool:
        return bool(lib.resolve_syscall(lib.Arch.NATIVE, name) >= 0)

    def argument(index: int, value: int, mask: int = INT) -> Any:
        return lib.Arg(index, lib.MASKED_EQ, mask, value)

    for name in filter(known, DENIED if namespaces else DENIED + SYSTEM_V + OWNERS):
        rules.add_rule(refuse, name)
    for name in filter(known, () if namespaces else MODES):
        rules.add_rule(lib.ERRNO(0), name)
    rules.add_rule(
        refuse, "prlimit64", lib.Arg(0, lib.NE, 0)
    )  # not the caller's: such a limit can end a process
    for flag in NAMESPACE_FLAGS[1:]:  # in clone, the bit of CLONE_NEWTIME belongs to the exit signal
        rules.add_rule(refuse, "clone", argument(0, flag, flag))
    rules.add_rule(
        lib.ERRNO(errno.ENOSYS), "clone3"
    )  # its flags are out of a filter's sight; libc falls back to clone
    for request in TERMINAL_INPUT:
        rules.add_rule(refuse, "ioctl", argument(1, request))
    rules.add_rule(lib.ERRNO(errno.EAFNOSUPPORT), "socket", lib.Arg(0, lib.NE, socket.AF_UNIX))
    rules.add_rule(
        lib.ERRNO(0), "flock"
    )  # success without a lock: sqlite and friends go on working in private files
    for command in LOCKS:
        rules.add_rule(lib.ERRNO(0), "fcntl", argument(1, command))
    for command in NOTICES:
        rules.add_rule(refuse, "fcntl", argument(1, command))
    for number in range(_first_unknown(lib), NEWEST):
        rules.add_rule(lib.ERRNO(errno.ENOSYS), number)
    return rules


def _first_unknown(lib: Any) -> int:
    """The number after the last system call that libseccomp knows by name."""
    number = NEWEST
    while number > 0:
        try:
            lib.resolve_syscall(lib.Arch.NATIVE, number - 1)
        except ValueError:
            number -= 1
        else:
            break
    return number


def _export(rules: Any) -> bytes:
    with open(os.memfd_create("filter", os.MFD_CLOEXEC), "rb+") as file:
        rules.export_bpf(file)
        file.seek(0)
        return file.read()
