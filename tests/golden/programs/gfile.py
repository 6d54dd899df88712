"""`tf.io.gfile`: files, folders, patterns, and `file://` in front of names."""

from __future__ import annotations

import json
import os
import pathlib
import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden import observe

from .kit import Answers

FACE = "v2"


def _answers(folder: str, calls: dict[str, Callable[[], Any]]) -> Answers:
    """What the calls give one after the other, with a word for the folder."""
    answers: Answers = {}
    for label, call in calls.items():
        found: list[Any] = []
        failed = observe.attempt(lambda call=call, found=found: found.append(call()))
        answers[label] = _named(folder, found[0]) if failed is None else f"raises {failed['class']}"
    return answers


def _named(folder: str, value: Any) -> Any:
    if isinstance(value, str):
        return value.replace(folder, "FOLDER")
    if isinstance(value, (list, tuple)):
        return [_named(folder, v) for v in value]
    return value


def open_files(tf: Any) -> Answers:
    folder = tempfile.mkdtemp()
    path, url = f"{folder}/a.txt", f"file://{folder}/a.txt"
    gfile = tf.io.gfile.GFile

    def written(mode: str, content: Any, name: str = path) -> Any:
        with gfile(name, mode) as file:
            return file.write(content)

    def text() -> str:
        return gfile(path).read()

    def places(mode: str) -> list[Any]:
        file, found = gfile(path, mode), []
        moves = [(5, 0), (1, 1), (-1, 2), (0, 3), (-5, 0), (100, 0), (0,), (2, 2)]
        for call in [*(lambda m=m: file.seek(*m) for m in moves), lambda: file.seek(position=3), file.seek, lambda: file.seek(offset=1)]:
            failed = observe.attempt(call)
            found.append([failed["class"] if failed else None, file.tell(), file.read(2)])
        return found

    def closed() -> Any:
        file = gfile(path)
        before = file.read(2)
        file.close()
        return before, file.read(2), file.seekable(), file.size(), file.tell()

    def unflushed() -> Any:
        with gfile(f"{folder}/b", "w") as file:
            file.write("abc")
            before = file.tell(), file.size()
            file.flush()
            return *before, file.size()

    return _answers(
        folder,
        {
            "write": lambda: [written("w", "one\ntwo\nthree"), text()],
            "append": lambda: [written("a", "\nmore"), text()],
            "by its URL": lambda: [written("a", "!", url), gfile(url).read(), gfile(url).name, gfile(url, "rb").mode],
            "seek in text": lambda: places("r"),
            "seek in bytes": lambda: places("rb"),
            "lines": lambda: [gfile(path).readlines(), list(gfile(path, "rb")), gfile(path).readline(), next(gfile(path))],
            "parts": lambda: [(f.read(2), f.tell(), f.readline(), f.tell(), f.read(-1), f.read(), f.readline()) for f in [gfile(path)]],
            "closed": closed,
            "unflushed": unflushed,
            "reading what is written": lambda: gfile(f"{folder}/c", "w").read(),
            "writing what is read": lambda: gfile(path).write("x"),
            "seeking what is written": lambda: gfile(f"{folder}/c", "w").seek(0),
            "modes": lambda: [written("r+", "HE"), text(), written("w+", "HEL"), text(), written("a+", "LO"), text()],
            "no mode": lambda: gfile(path, "q"),
            "no text mode": lambda: gfile(path, "rt"),
            "nothing there": lambda: gfile(f"{folder}/none").read(),
            "opened when read": lambda: gfile(f"{folder}/none").name,
            "no folder": lambda: written("w", "x", f"{folder}/none/x"),
            "another system": lambda: gfile("foo://x").read(),
            "bytes": lambda: [written("wb", b"abc\xff"), gfile(path, "rb").read()],
            "bytes as text": text,
            "text as bytes": lambda: [written("wb", "äb"), written("a", b"c"), text()],
            "carriage returns": lambda: [written("wb", b"a\r\nb\r\n"), gfile(path).readline(), text()],
            "json": lambda: [written("w", '{"a": 1}'), json.load(gfile(path))],
            "arrays": lambda: [np.save(gfile(f"{folder}/n.npy", "wb"), np.ones(2)), np.load(gfile(f"{folder}/n.npy", "rb"))],
            "path object": lambda: gfile(pathlib.Path(path)).read(3),
            "older names": lambda: [tf.compat.v1.gfile.Open(path).read(), tf.compat.v1.gfile.FastGFile(path).read(2)],
        },
    )


def names_and_folders(tf: Any) -> Answers:
    folder = tempfile.mkdtemp()
    g, url = tf.io.gfile, f"file://{folder}"

    def made() -> Any:
        g.makedirs(f"{url}/s/t")
        for name in ("x1.txt", "x2.txt", ".h.txt", "X3.txt", "s/u.txt", "s/t/v.txt", "[a].txt"):
            with g.GFile(f"{folder}/{name}", "w") as file:
                file.write(name)
        return g.exists(f"{url}/x1.txt"), g.isdir(url), g.exists(f"{url}/none"), g.exists(pathlib.Path(folder))

    def inside() -> Any:
        os.chdir(folder)
        return sorted(g.glob("x*.txt")), g.glob("x1.txt"), sorted(g.glob("s/*"))

    def walked(top: str, **options: Any) -> Any:
        return [(path, sorted(folders), sorted(files)) for path, folders, files in g.walk(top, **options)]

    patterns = (
        "*.txt", "x?.txt", "x[12].txt", "x[!1].txt", "x[^1].txt", "[xX]*", "x[1-2].txt", "**/*.txt", "*/*.txt", "s", "s/", "none*", "x{1,2}.txt",
        "**", "*/*/v.txt", "?.txt", ".h*", "s/*", "s*/", "\\x1.txt", "\\[a].txt", "none/*", "x1.txt/*",
    )  # fmt: skip
    here = os.getcwd()
    calls: dict[str, Callable[[], Any]] = {"made": made}
    calls |= {f"glob {pattern}": lambda pattern=pattern: sorted(g.glob(f"{folder}/{pattern}")) for pattern in patterns}
    calls |= {
        "glob URL": lambda: sorted(g.glob(f"{url}/x*")),
        "glob several": lambda: g.glob([f"{folder}/x2*", f"{folder}/x1*"]),
        "glob nothing": lambda: g.glob(""),
        "glob here": inside,
        "listdir": lambda: sorted(g.listdir(f"{url}/s")),
        "listdir nothing": lambda: g.listdir(f"{folder}/none"),
        "listdir file": lambda: g.listdir(f"{folder}/x1.txt"),
        "copy": lambda: [g.copy(f"{url}/x1.txt", f"{folder}/c.txt"), g.GFile(f"{folder}/c.txt").read()],
        "copy upon": lambda: g.copy(f"{url}/x2.txt", f"{url}/c.txt"),
        "copy over": lambda: [g.copy(f"{url}/x2.txt", f"{url}/c.txt", overwrite=True), g.GFile(f"{folder}/c.txt").read()],
        "copy nothing": lambda: g.copy(f"{folder}/none", f"{folder}/e"),
        "rename": lambda: [g.rename(f"{url}/c.txt", f"{url}/d.txt"), g.exists(f"{folder}/c.txt"), g.exists(f"{folder}/d.txt")],
        "rename upon": lambda: g.rename(f"{url}/d.txt", f"{url}/x1.txt"),
        "walk": lambda: walked(f"{url}/s"),
        "walk up": lambda: walked(f"{folder}/s", topdown=False),
        "walk nothing": lambda: walked(f"{folder}/none"),
        "mkdir": lambda: [g.mkdir(f"{url}/m"), g.mkdir(f"{url}/m")],
        "mkdir deep": lambda: g.mkdir(f"{url}/m1/m2"),
        "stat": lambda: [tf.compat.v1.gfile.Stat(f"{url}/x1.txt").length, tf.compat.v1.gfile.Stat(folder).is_directory],
        "stat nothing": lambda: tf.compat.v1.gfile.Stat(f"{folder}/none"),
        "read_file": lambda: [tf.io.write_file(f"{url}/new/w", "abc"), tf.io.read_file(f"{url}/new/w")],
        "read_file nothing": lambda: tf.io.read_file(f"{url}/none"),
        "checkpoint": lambda: [tf.train.Checkpoint(v=tf.Variable(1.0)).save(f"{url}/k/c"), tf.train.latest_checkpoint(f"{url}/k")],
        "remove": lambda: [g.remove(f"{url}/x1.txt"), g.exists(f"{folder}/x1.txt")],
        "remove folder": lambda: g.remove(f"{url}/m"),
        "remove nothing": lambda: g.remove(f"{url}/none"),
        "rmtree": lambda: [g.rmtree(f"{url}/s"), g.exists(f"{folder}/s"), g.rmtree(f"{folder}/x2.txt"), g.exists(f"{folder}/x2.txt")],
        "rmtree nothing": lambda: g.rmtree(f"{folder}/none"),
        "join": lambda: [g.join("file://a", "b"), g.join("a", "/b"), g.join("a/", "b"), g.join("a")],
        "another system": lambda: g.exists("foo://x"),
    }
    try:
        return _answers(folder, calls)
    finally:
        os.chdir(here)
