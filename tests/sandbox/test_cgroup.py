"""Control groups: version 1 as it is here is in the attacks; here both versions against made-up trees of files.

The controllers of version 2 cannot be tried on every machine; that a real kernel takes what is written here is not shown.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from mtref.server.sandbox.cgroup import UNIFIED, NoCgroupError, Place, find_place, make_group
from mtref.server.sandbox.freeze import CgroupFreezer
from mtref.server.sandbox.levels import MIB, Limits

V1_MEMBERSHIP = "5:pids:/\n4:memory:/jobs/7\n3:freezer:/\n2:cpu,cpuacct:/\n0::/\n"
V1_MOUNTS = """\
30 25 0:26 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
31 25 0:27 / /sys/fs/cgroup/pids rw,relatime shared:3 - cgroup cgroup rw,pids
32 25 0:28 / /sys/fs/cgroup/freezer rw,relatime - cgroup cgroup rw,freezer
33 25 0:29 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
20 1 254:0 / / rw,relatime - ext4 /dev/vda rw
"""
V2_MEMBERSHIP = "0::/user.slice/app.slice/shell.scope\n"
V2_MOUNTS = "26 22 0:23 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
LIMITS = Limits(memory=100 * MIB, processes=40)


def tree(root: Path, *folders: str) -> list[Path]:
    found = [root / "sys/fs/cgroup" / folder for folder in folders]
    for folder in found:
        folder.mkdir(parents=True)
        (folder / "cgroup.procs").touch()
        (folder / "cgroup.subtree_control").write_text("")
    return found


def as_kernel(group: Path, *names: str) -> None:
    """The files a kernel makes in a new group."""
    for name in names:
        (group / name).touch()


def test_version_1_makes_groups_below_its_own_in_each_hierarchy(tmp_path: Path) -> None:
    memory, pids, freezer = tree(tmp_path, "memory/jobs/7", "pids", "freezer")
    place = find_place(V1_MEMBERSHIP, V1_MOUNTS, tmp_path)
    assert place == Place(1, {"memory": memory, "pids": pids, "freezer": freezer})
    assert place.freezes


def test_a_container_sees_only_a_part_of_the_hierarchy(tmp_path: Path) -> None:
    (memory, pids) = tree(tmp_path, "memory/inner", "pids")
    mounts = (
        "30 25 0:26 /docker/12 /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n"
        "31 25 0:27 /docker/12 /sys/fs/cgroup/pids ro - cgroup cgroup rw,pids\n"
    )
    place = find_place("4:memory:/docker/12/inner\n5:pids:/docker/12\n", mounts, tmp_path)
    assert place.folders == {"memory": memory, "pids": pids}
    assert not place.freezes


def test_version_1_writes_the_limits(tmp_path: Path) -> None:
    folders = dict(
        zip(("memory", "pids", "freezer"), tree(tmp_path, "memory", "pids", "freezer"), strict=True)
    )
    group = make_group(Place(1, folders), "mtref-1", LIMITS)
    memory, pids, freezer = (folder / "mtref-1" for folder in folders.values())
    assert (memory / "memory.limit_in_bytes").read_text() == str(100 * MIB)
    assert not (memory / "memory.memsw.limit_in_bytes").exists()  # a kernel that does not count swap
    assert (pids / "pids.max").read_text() == "40"
    assert group.members == tuple(str(folder / "cgroup.procs") for folder in (memory, pids, freezer))
    assert group.frozen == (str(freezer / "freezer.state"), "FROZEN")
    assert group.thawed == (str(freezer / "freezer.state"), "THAWED")


def test_version_1_knows_when_memory_ran_out(tmp_path: Path) -> None:
    folders = dict(zip(("memory", "pids"), tree(tmp_path, "memory", "pids"), strict=True))
    group = make_group(Place(1, folders), "mtref-1", LIMITS)
    control = folders["memory"] / "mtref-1" / "memory.oom_control"
    assert not group.out_of_memory()
    control.write_text("oom_kill_disable 0\nunder_oom 0\noom_kill 0\n")
    assert not group.out_of_memory()
    control.write_text("oom_kill_disable 0\nunder_oom 0\noom_kill 2\n")
    assert group.out_of_memory()
    assert group.frozen is None


def test_version_2_makes_a_sibling_where_the_group_around_ours_hands_out_controllers(tmp_path: Path) -> None:
    parent, own = tree(tmp_path, "user.slice/app.slice", "user.slice/app.slice/shell.scope")
    (parent / "cgroup.subtree_control").write_text("cpu memory pids\n")
    place = find_place(V2_MEMBERSHIP, V2_MOUNTS, tmp_path)
    assert place == Place(2, {UNIFIED: parent})
    assert place.freezes
    assert (
        own / "cgroup.subtree_control"
    ).read_text() == "+memory +pids"  # was tried, and had no effect here


def test_version_2_does_not_switch_on_controllers_in_a_group_that_is_not_ours(tmp_path: Path) -> None:
    parent, own = tree(tmp_path, "user.slice/app.slice", "user.slice/app.slice/shell.scope")
    (own / "cgroup.subtree_control").unlink()
    (own / "cgroup.subtree_control").mkdir()  # writing fails, as where a group has processes of its own
    with pytest.raises(NoCgroupError, match=r"app\.slice has no memory and pids controllers"):
        find_place(V2_MEMBERSHIP, V2_MOUNTS, tmp_path)
    assert (parent / "cgroup.subtree_control").read_text() == ""


def test_version_2_takes_its_own_group_when_that_hands_out_controllers(tmp_path: Path) -> None:
    (own,) = tree(tmp_path, "user.slice/app.slice/shell.scope")
    (own / "cgroup.subtree_control").write_text("memory pids")
    assert find_place(V2_MEMBERSHIP, V2_MOUNTS, tmp_path) == Place(2, {UNIFIED: own})


def test_version_2_writes_the_limits_and_freezes(tmp_path: Path) -> None:
    (own,) = tree(tmp_path, "bots")
    group = make_group(Place(2, {UNIFIED: own}), "mtref-1", LIMITS)
    folder = own / "mtref-1"
    assert (folder / "memory.max").read_text() == str(100 * MIB)
    assert (folder / "pids.max").read_text() == "40"
    assert group.members == (str(folder / "cgroup.procs"),)
    freezer = CgroupFreezer(group)
    freezer.freeze()
    assert (folder / "cgroup.freeze").read_text() == "1"
    freezer.thaw()
    assert (folder / "cgroup.freeze").read_text() == "0"
    (folder / "memory.events").write_text("low 0\nhigh 0\nmax 12\noom 1\noom_kill 1\noom_group_kill 0\n")
    assert group.out_of_memory()


def test_version_2_forbids_swap_and_ends_a_bot_as_a_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (own,) = tree(tmp_path, "bots")
    made = Path.mkdir

    def mkdir(self: Path, mode: int = 0o777) -> None:
        made(self, mode)
        as_kernel(self, "memory.max", "memory.swap.max", "memory.oom.group", "pids.max")

    monkeypatch.setattr(Path, "mkdir", mkdir)
    make_group(Place(2, {UNIFIED: own}), "mtref-1", LIMITS)
    assert (own / "mtref-1" / "memory.swap.max").read_text() == "0"
    assert (own / "mtref-1" / "memory.oom.group").read_text() == "1"


def test_why_there_is_no_group_is_told(tmp_path: Path) -> None:
    with pytest.raises(NoCgroupError, match="no cgroups are mounted"):
        find_place("0::/\n", "20 1 254:0 / / rw - ext4 /dev/vda rw\n", tmp_path)
    with pytest.raises(NoCgroupError, match=r"cgroup v2: .* is not writable \(try: systemd-run"):
        find_place(V2_MEMBERSHIP, V2_MOUNTS, tmp_path)
    with pytest.raises(NoCgroupError, match=r"cgroup v1: .* is not writable"):
        find_place(V1_MEMBERSHIP, V1_MOUNTS, tmp_path)


def test_a_group_that_cannot_be_made_leaves_nothing_behind(tmp_path: Path) -> None:
    memory, _ = tree(tmp_path, "memory", "pids")
    place = Place(1, {"memory": memory, "pids": tmp_path / "missing"})
    with pytest.raises(NoCgroupError, match="No such file or directory"):
        make_group(place, "mtref-1", LIMITS)
    assert not (memory / "mtref-1").exists()
