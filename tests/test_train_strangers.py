"""Checkpoint files that are damaged, that strangers wrote, or whose writers were killed."""

from __future__ import annotations

import copy
import gc
import json
import os
import random
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from safetensors.numpy import save

import pullback as tf
from pullback.base.errors import DataLossError, OpError
from pullback.train import atomic_files, checkpoint_state, files, packing
from tests.against import kills
from tests.golden.programs.kit import logs

pytestmark = pytest.mark.filterwarnings("error")


def arrays() -> dict[str, np.ndarray]:
    strings = np.empty((2,), object)
    strings[:] = [b"abc", b"\xff"]
    return {
        "v": np.arange(6, dtype=np.float32),
        "i/j": np.array([[1, -2]], np.int64),
        "b": np.array([1.5], ml_dtypes.bfloat16),
        "c": np.array([1 + 2j], np.complex64),
        "s": strings,
    }


def same(found: dict[str, np.ndarray]) -> bool:
    told = arrays()
    return found.keys() == told.keys() and all(
        found[k].dtype == told[k].dtype and found[k].shape == told[k].shape and found[k].tolist() == told[k].tolist() for k in told
    )


def damages(data: bytes, count: int, seed: int) -> list[bytes]:
    """A file with bits turned, bytes exchanged, parts cut out, doubled or put elsewhere."""
    draw = random.Random(seed)

    def damage(data: bytes) -> bytes:
        at, to = sorted(draw.randrange(len(data) + 1) for _ in range(2))
        kind = draw.randrange(6)
        if kind == 0 and data:
            at = min(at, len(data) - 1)
            return data[:at] + bytes([data[at] ^ 1 << draw.randrange(8)]) + data[at + 1 :]
        if kind == 1:
            return data[:at] + bytes([draw.randrange(256)]) + data[at + 1 :]
        if kind == 2:
            return data[:at]
        if kind == 3:
            return data[:at] + data[to:]
        if kind == 4:
            return data[:to] + data[at:]
        return data[:at] + bytes(draw.randrange(256) for _ in range(8)) + data[at + 8 :]

    found = [damage(data) for _ in range(count)]
    return [damage(one) if draw.random() < 0.3 else one for one in found]


def test_a_damaged_file_gives_its_values_or_says_that_it_is_damaged(tmp_path: Path) -> None:
    prefix = str(tmp_path / "m")
    files.write_arrays(prefix, arrays(), [{"v": 1}, {}])
    data = (tmp_path / "m.safetensors").read_bytes()
    flipped = [data[:i] + bytes([data[i] ^ 1 << i % 8]) + data[i + 1 :] for i in range(len(data))]
    refused = 0
    for damaged in flipped + damages(data, 400, 1):
        (tmp_path / "m.safetensors").write_bytes(damaged)
        try:
            assert same(files.read_arrays(prefix)), damaged
        except DataLossError:
            refused += 1
    assert refused > len(flipped) * 0.9


def test_a_damaged_list_gives_its_paths_or_says_that_it_is_damaged(tmp_path: Path) -> None:
    folder = str(tmp_path)
    checkpoint_state.update_checkpoint_state(folder, f"{folder}/m-2", [f"{folder}/å-1"], None, [1.5, 2.5], 0.5, save_relative_paths=True)
    data = (tmp_path / "checkpoint").read_bytes()
    for damaged in damages(data, 300, 2):
        (tmp_path / "checkpoint").write_bytes(damaged)
        try:
            state = checkpoint_state.get_checkpoint_state(folder)
        except DataLossError:
            continue
        if state is not None:
            assert isinstance(state.model_checkpoint_path, str) and all(isinstance(p, str) for p in state.all_model_checkpoint_paths)
            assert all(isinstance(t, float) for t in state.all_model_checkpoint_timestamps)
        manager = tf.train.CheckpointManager(tf.train.Checkpoint(), folder, 1)
        assert manager.checkpoints == [] and tf.train.latest_checkpoint(folder) is None


def test_a_damaged_checkpoint_of_objects(tmp_path: Path) -> None:
    def build(value: float) -> Any:
        return tf.train.Checkpoint(a=[tf.Variable(value), {"k": tf.Variable([value, value])}], g=tf.random.Generator.from_seed(int(value)))

    path = build(3.0).write(tmp_path / "m")
    data = (tmp_path / "m.safetensors").read_bytes()
    target = build(0.0)
    for damaged in damages(data, 200, 3):
        (tmp_path / "m.safetensors").write_bytes(damaged)
        try:
            target.read(path).assert_consumed()
        except OpError:
            continue
        assert target.a[0].numpy() == 3.0 and target.a[1]["k"].numpy().tolist() == [3.0, 3.0]
        assert damaged.rstrip() != b"" and target.g.state.numpy().tolist() == [3, 0, 0]


def written(path: Path, kinds: Any = None, nodes: Any = None, packed: dict[str, np.ndarray] | None = None) -> str:
    """A file with a stranger's notes, whose checksum is right."""
    packed = packed or {"v": np.zeros(6, np.uint8)}
    notes = {} if kinds is None else {"pullback.dtypes": kinds if isinstance(kinds, str) else json.dumps(kinds)}
    notes |= {} if nodes is None else {"pullback.objects": nodes if isinstance(nodes, str) else json.dumps(nodes)}
    path.with_suffix(".safetensors").write_bytes(save(packed, notes | {"pullback.checksum": packing._checksum(packed, notes)}))
    return str(path)


KINDS: list[Any] = [
    {"v": {"shape": [2], "lengths": [-1, 7]}},
    {"v": {"shape": [2], "lengths": [1, 4]}},
    {"v": {"shape": [3], "lengths": [1, 5]}},
    {"v": {"shape": [-2], "lengths": [1, 5]}},
    {"v": {"shape": [0, 2**70], "lengths": []}},
    {"v": {"shape": [2.0], "lengths": [1, 5]}},
    {"v": {"shape": [True], "lengths": [6]}},
    {"v": {"shape": "2", "lengths": [1, 5]}},
    {"v": {"lengths": [6]}},
    {"v": {}},
    {"v": []},
    {"v": 7},
    {"v": "bfloat16"},
    {"v": "complex64"},
    {"v": "float99"},
    {"w": "bfloat16"},
    [],
    3,
    "{",
    "",
    "[" * 100_000,
    '{"v": ' * 50_000,
]


@pytest.mark.parametrize("kinds", KINDS, ids=lambda kinds: str(kinds)[:40])
def test_notes_on_dtypes(tmp_path: Path, kinds: Any) -> None:
    with pytest.raises(DataLossError, match="is damaged"):
        files.read_arrays(written(tmp_path / "m", kinds))


NODES: list[Any] = [[], {}, [1], [{"a": 1}], [{"a": -1}], [{"a": 0.0}], [{"a": "0"}], [{"a": None}], [{"a": True}], "[" * 100_000, "x"]


@pytest.mark.parametrize("nodes", NODES, ids=lambda nodes: str(nodes)[:40])
def test_notes_on_objects(tmp_path: Path, nodes: Any) -> None:
    with pytest.raises(DataLossError, match="is damaged"):
        tf.train.Checkpoint(v=tf.Variable(0.0)).read(written(tmp_path / "m", {}, nodes))


@pytest.mark.parametrize("names", [[], 3, {"v": 7}, {"v": "w"}, {"v": ["a"]}, "{", "[" * 100_000])
def test_names_of_variables_by_strangers(tmp_path: Path, names: Any) -> None:
    notes = {"pullback.names": names if isinstance(names, str) else json.dumps(names)}
    packed = {"a": np.zeros(2, np.float32)}
    (tmp_path / "m.safetensors").write_bytes(save(packed, notes | {"pullback.checksum": packing._checksum(packed, notes)}))
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        tf.compat.v1.get_variable("v", [2])
        with pytest.raises(DataLossError, match="is damaged"):
            tf.compat.v1.train.Saver().restore(session, str(tmp_path / "m"))


def test_objects_that_hold_each_other(tmp_path: Path) -> None:
    key = "v/.ATTRIBUTES/VARIABLE_VALUE"
    path = written(tmp_path / "m", {}, [{"a": 0, "v": 1}, {"b": 0, "v": 1}], {key: np.array(5.0, np.float32)})
    root = tf.train.Checkpoint(v=tf.Variable(0.0))
    root.a = root
    root.read(path).assert_consumed()
    assert root.v.numpy() == 5.0
    deep = written(tmp_path / "d", {}, [{"a": i + 1} for i in range(5_000)] + [{}], {"v": np.zeros(1)})
    tf.train.Checkpoint().read(deep).expect_partial()
    assert len(tf.train.CheckpointView(deep).descendants()) == 5_001


def test_a_file_of_other_programs_has_no_checksum(tmp_path: Path) -> None:
    (tmp_path / "m.safetensors").write_bytes(save({"v": np.ones(2)}, {"format": "np"}))
    assert files.read_arrays(str(tmp_path / "m"))["v"].tolist() == [1.0, 1.0]


@pytest.mark.parametrize("kind", ["pipe", "folder", "device"])
def test_what_is_no_file_is_not_read(tmp_path: Path, kind: str) -> None:
    for name in ("m.safetensors", "checkpoint"):
        make: dict[str, Callable[[Path], Any]] = {
            "pipe": os.mkfifo, "folder": os.mkdir, "device": lambda path: os.symlink("/dev/zero", path)
        }  # fmt: skip
        make[kind](tmp_path / name)
    with pytest.raises(DataLossError, match="no regular file"):
        files.read_arrays(str(tmp_path / "m"))
    with pytest.raises(DataLossError, match="no regular file"):
        checkpoint_state.get_checkpoint_state(str(tmp_path))


def test_a_file_larger_than_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files.write_arrays(str(tmp_path / "m"), arrays())

    def fail(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(atomic_files, "open", fail, raising=False)
    with pytest.raises(tf.errors.ResourceExhaustedError, match="more than there is memory"):
        files.read_arrays(str(tmp_path / "m"))


STATES = [
    "model_checkpoint_path: oops\n",
    'model_checkpoint_path: "a"b"\n',
    'model_checkpoint_path: "a\\"\n',
    'model_checkpoint_path: "a\\000b"\n',
    'model_checkpoint_path: ["a"]\n',
    "model_checkpoint_path: 7\n",
    'model_checkpoint_path: "a"\nmodel_checkpoint_path: "b"\n',
    'model_checkpoint_path: "a"\nall_model_checkpoint_paths: {"a": 1}\n',
    'model_checkpoint_path: "a"\nall_model_checkpoint_timestamps: "1"\n',
    'model_checkpoint_path: "a"\nlast_preserved_timestamp: [1]\n',
    'model_checkpoint_path: "a"\nnonsense\n',
    'model_checkpoint_path: "a"\nother_field: 3\n',
    'model_checkpoint_path: "' + "(" * 100_000 + "\n",
]


@pytest.mark.parametrize("text", STATES, ids=lambda text: text[:60])
def test_lists_of_strangers(tmp_path: Path, text: str) -> None:
    (tmp_path / "checkpoint").write_text(text)
    with pytest.raises(DataLossError, match="is damaged"):
        tf.train.latest_checkpoint(str(tmp_path))


def test_a_list_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "checkpoint").write_bytes(b'model_checkpoint_path: "\xff\xfe"\n')
    with pytest.raises(DataLossError, match="is damaged"):
        tf.train.get_checkpoint_state(str(tmp_path))


def test_a_list_as_tensorflow_writes_it(tmp_path: Path) -> None:
    text = '# a comment\n\n  model_checkpoint_path: "\\303\\245\\n\\"\\\'-1"\n'
    (tmp_path / "checkpoint").write_text(text + "all_model_checkpoint_paths: 'b'\n")
    state = checkpoint_state.get_checkpoint_state(str(tmp_path))
    assert state is not None and state.model_checkpoint_path == str(tmp_path / "å\n\"'-1")
    assert state.all_model_checkpoint_paths == [str(tmp_path / "b")]
    assert str(checkpoint_state.CheckpointState("å\n\"'-1")) == 'model_checkpoint_path: "\\303\\245\\n\\"\\\'-1"\n'


class TestNothingOutsideTheFolderIsDeleted:
    def victims(self, tmp_path: Path) -> tuple[Path, list[str]]:
        """A folder whose list names a file beside it by four ways."""
        folder, other = tmp_path / "mine", tmp_path / "other"
        folder.mkdir()
        other.mkdir()
        (folder / "link").symlink_to(other)
        for place in (tmp_path / "victim", other / "victim"):
            tf.train.Checkpoint(v=tf.Variable(1.0)).write(place)
        return folder, ["../victim", str(tmp_path / "victim"), "./../other/victim", "link/victim"]

    def listed(self, folder: Path, paths: list[str]) -> None:
        lines = "".join(f"all_model_checkpoint_paths: {json.dumps(path)}\n" for path in paths)
        (folder / "checkpoint").write_text(f"model_checkpoint_path: {json.dumps(paths[0])}\n{lines}")

    def intact(self, tmp_path: Path) -> bool:
        return all((tmp_path / name).exists() for name in ("victim.safetensors", "other/victim.safetensors"))

    def test_by_a_manager(self, tmp_path: Path) -> None:
        folder, paths = self.victims(tmp_path)
        self.listed(folder, paths)
        with logs() as said:
            manager = tf.train.CheckpointManager(tf.train.Checkpoint(v=tf.Variable(1.0)), folder, max_to_keep=1)
        assert manager.checkpoints == [] and len(said) == 4 and all("left alone" in line for line in said)
        for _ in range(3):
            manager.save()
        assert self.intact(tmp_path)
        assert sorted(os.listdir(folder)) == ["checkpoint", "ckpt-3.safetensors", "link"]

    def test_by_a_saver(self, tmp_path: Path) -> None:
        folder, paths = self.victims(tmp_path)
        self.listed(folder, paths)
        v1 = tf.compat.v1
        with v1.Graph().as_default(), v1.Session() as session:
            v = v1.get_variable("v", initializer=1.0)
            session.run(v.initializer)
            saver = v1.train.Saver(max_to_keep=1)
            state = v1.train.get_checkpoint_state(str(folder))
            saver.recover_last_checkpoints(state.all_model_checkpoint_paths)
            assert len(saver.last_checkpoints) == 4
            saver.save(session, str(folder / "m"), global_step=1)
            saver.save(session, str(folder / "m"), global_step=2)
        assert self.intact(tmp_path)
        assert sorted(os.listdir(folder)) == ["checkpoint", "link", "m-2.meta", "m-2.safetensors"]

    def test_its_own_are(self, tmp_path: Path) -> None:
        for _ in range(3):
            manager = tf.train.CheckpointManager(tf.train.Checkpoint(v=tf.Variable(1.0)), tmp_path, max_to_keep=1, checkpoint_name="in/c")
            manager.restore_or_initialize()
            manager.save()
        assert os.listdir(tmp_path / "in") == ["c-3.safetensors"]

    def test_times_that_are_missing(self, tmp_path: Path) -> None:
        manager = tf.train.CheckpointManager(tf.train.Checkpoint(v=tf.Variable(1.0)), tmp_path, max_to_keep=3)
        for _ in range(3):
            manager.save()
        text = (tmp_path / "checkpoint").read_text().splitlines()
        text = [line for line in text if "timestamp" not in line] + ["all_model_checkpoint_timestamps: 1"]
        (tmp_path / "checkpoint").write_text("\n".join(text))
        manager = tf.train.CheckpointManager(tf.train.Checkpoint(v=tf.Variable(1.0)), tmp_path, max_to_keep=1)
        assert len(manager.checkpoints) == 3
        manager.save(checkpoint_number=9)
        assert sorted(os.listdir(tmp_path)) == ["checkpoint", "ckpt-9.safetensors"]


class TestLeftovers:
    def test_parts_of_killed_writers_go_at_the_next_save(self, tmp_path: Path) -> None:
        left = ["m-1.safetensors.4000000-0.part", "m-2.safetensors.1-17.part", "checkpoint.1-3.part"]
        others = ["notes.part", "m.safetensors.part", "m.safetensors.1-2.part.txt", "other.1-2.part", "m-3.safetensors.x-1.part"]
        for name in left + others:
            (tmp_path / name).write_text("half")
        (tmp_path / "x.safetensors.1-1.part").mkdir()
        (tmp_path / "y.safetensors.1-1.part").symlink_to(tmp_path / "notes.part")
        tf.train.Checkpoint(v=tf.Variable(1.0)).save(tmp_path / "m")
        there = ["checkpoint", "m-1.safetensors", "x.safetensors.1-1.part", "y.safetensors.1-1.part"]
        assert sorted(os.listdir(tmp_path)) == sorted(others + there)

    def test_a_part_that_is_being_written_stays(self, tmp_path: Path) -> None:
        aside, descriptor = atomic_files._begin(str(tmp_path / "a.safetensors"))
        tf.train.Checkpoint(v=tf.Variable(1.0)).write(tmp_path / "m")
        assert os.path.exists(aside)
        os.close(descriptor)
        tf.train.Checkpoint(v=tf.Variable(1.0)).write(tmp_path / "m")
        assert os.listdir(tmp_path) == ["m.safetensors"]

    def test_old_checkpoints_are_deleted_when_the_list_names_the_new_one(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        manager = tf.train.CheckpointManager(tf.train.Checkpoint(v=tf.Variable(1.0)), tmp_path, max_to_keep=1)
        manager.save()

        def killed(prefix: str) -> None:
            raise KeyboardInterrupt(prefix)

        with monkeypatch.context() as patch:
            patch.setattr(files, "remove", killed)
            with pytest.raises(KeyboardInterrupt):
                manager.save()
        assert tf.train.latest_checkpoint(tmp_path) == str(tmp_path / "ckpt-2")
        again = tf.train.CheckpointManager(tf.train.Checkpoint(v=tf.Variable(1.0)), tmp_path, max_to_keep=1)
        again.restore_or_initialize()
        again.save()
        assert sorted(os.listdir(tmp_path)) == ["checkpoint", "ckpt-3.safetensors"]


def test_writers_that_are_killed() -> None:
    found = kills.kill_writers(2, seed=5)
    assert {kind: number for kind, number in found.items() if kind != kills.SAVES} == {"killed": 2, **dict.fromkeys(kills.FAULTS, 0)}


@pytest.mark.parametrize("saves", [[], [1, 2]])
def test_kills_count_where_something_was_saved(saves: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kills, "_kill_a_writer", lambda folder, after: saves)
    monkeypatch.setattr(kills, "_faults", lambda folder, saved: [])
    part = kills.run(3)
    assert (part.figures[kills.SAVES], part.goals["kills that lose nothing"]) == (3 * len(saves), (3 if saves else 0, 3, 1.0))


def test_a_writer_that_ends_by_itself_is_no_kill(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kills, "_WRITER", "print('ready', flush=True); raise SystemExit(3)")
    monkeypatch.setattr(kills.subprocess.Popen, "send_signal", lambda writer, _: writer.wait())
    with pytest.raises(RuntimeError, match=r"ended by itself after 0 saves, with status 3"):
        kills.kill_writers(1)


def test_what_is_left_is_said(tmp_path: Path) -> None:
    path = tf.train.Checkpoint(v=tf.Variable(1.0), w=[tf.Variable(2.0)]).write(tmp_path / "m")
    with logs() as said:
        tf.train.Checkpoint(v=tf.Variable(0.0)).read(path)
        gc.collect()
        assert len(said) == 1 and "(root).w.0" in said[0] and "expect_partial" in said[0]
        tf.train.Checkpoint(v=tf.Variable(0.0)).read(path).expect_partial()
        gc.collect()
        assert len(said) == 1


def test_a_copy_of_a_module_waits_for_no_restore(tmp_path: Path) -> None:
    path = tf.train.Checkpoint(a=[tf.Variable(1.0)]).write(tmp_path / "m")
    module = tf.Module()
    module.a = []
    tf.train.Checkpoint(module).read(path).expect_partial()
    other = copy.deepcopy(module)
    other.a.append(tf.Variable(5.0))
    module.a.append(tf.Variable(6.0))
    assert other.a[0].numpy() == 5.0 and module.a[0].numpy() == 1.0


def test_checksums_are_of_everything() -> None:
    data = packing.pack({"v": np.zeros(3)}, [{}])
    assert packing.unpack(data)[1] == [{}]
    header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    assert header["__metadata__"]["pullback.checksum"].startswith("crc32:") and zlib.crc32(b"") == 0
