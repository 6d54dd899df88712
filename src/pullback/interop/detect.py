"""Telling a program written for TensorFlow 1 from one for TensorFlow 2 by the names it uses.

A name that only one of the two has (`tf.placeholder`, `tf.train.AdamOptimizer`; `tf.optimizers`, `tf.random.set_seed`) speaks for
it, and so does a keyword argument that TensorFlow 2 dropped. A name reached through `tf.compat.v1` speaks for neither: such a
program was written to run on TensorFlow 2. The modules beside the program that it imports are read as well.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from .names import tensorflow_names

KEYWORDS_OF_1 = {"keep_dims", "reduction_indices", "squeeze_dims", "dimension"}


def tensorflow_version(program: Path, source: bytes | None = None, root: Path | None = None) -> int:
    """1 or 2: the TensorFlow that `program` was written for; 2 where nothing tells.

    Args:
        program: the program's file.
        source: its text; None to read it.
        root: the directory that its absolute imports start at; None for that of the file.

    Raises:
        OSError: the file cannot be read.
        SyntaxError: the file is not Python.
    """
    votes: Counter[int] = Counter()
    for tree in _collect_trees(program, program.read_bytes() if source is None else source, root or program.parent):
        votes.update(version_votes(tree))
    return 1 if votes[1] > votes[2] else 2


def version_votes(tree: ast.AST) -> Iterator[int]:
    """1 or 2 for each use of a name that only that TensorFlow has.

    >>> list(version_votes(ast.parse("import tensorflow as tf; x = tf.placeholder(tf.float32); tf.random.set_seed(1)")))
    [1, 2]
    """
    modules = {"tensorflow": "tensorflow"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.asname and _is_tensorflow(alias.name):
                    modules[alias.asname] = alias.name
                yield from _vote(alias.name.split(".")) if _is_tensorflow(alias.name) else ()
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module and _is_tensorflow(node.module):
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                modules[alias.asname or alias.name] = full
                yield from _vote(full.split("."))
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and (chain := _chain(node)) and chain[0] in modules:
            yield from _vote([*modules[chain[0]].split("."), *chain[1:]], last_only=True)
        elif isinstance(node, ast.Call) and (chain := _chain(node.func)) and chain[0] in modules:
            yield from (1 for k in node.keywords if k.arg in KEYWORDS_OF_1 and "compat" not in modules[chain[0]].split("."))


def _is_tensorflow(module: str) -> bool:
    return module == "tensorflow" or module.startswith("tensorflow.")


def _chain(node: ast.AST) -> list[str]:
    """`a.b.c` as ["a", "b", "c"]; empty where it does not start at a name."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return [node.id, *reversed(names)] if isinstance(node, ast.Name) else []


def _vote(path: list[str], last_only: bool = False) -> Iterator[int]:
    """The vote of `tensorflow.a.b.c`, decided at the first name that only one TensorFlow has.

    Every prefix of an attribute chain is a node of its own in the tree, so there only the last name counts.
    """
    known = tensorflow_names()
    space = ""
    for depth, name in enumerate(path[1:], 2):
        if f"tf1{space}" not in known or f"tf{space}" not in known:
            return
        one, two = name in known[f"tf1{space}"], name in known[f"tf{space}"]
        if one != two:
            if not last_only or depth == len(path):
                yield 1 if one else 2
            return
        space += f".{name}"


def _collect_trees(program: Path, source: bytes, root: Path) -> Iterator[ast.Module]:
    """The program's tree, and those of what it imports from its own directory, as far as they are Python."""
    waiting, seen = [program], {program}
    while waiting:
        path = waiting.pop()
        try:
            tree = ast.parse(source if path == program else path.read_bytes(), str(path))
        except SyntaxError:
            if path == program:
                raise
            continue
        yield tree
        for name in _imported_names(tree):
            stems = [directory / Path(*name.split(".")) for directory in {program.parent: None, root: None}]
            for found in (file for stem in stems for file in (stem.with_suffix(".py"), stem / "__init__.py")):
                if found not in seen and found.is_file():
                    seen.add(found)
                    waiting.append(found)


def _imported_names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (alias.name for alias in node.names)
