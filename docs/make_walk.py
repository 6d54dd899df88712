"""Writes the walks of docs/architecture.md: which functions four small programs pass, each with the first sentence of its docstring.

    PYTHONPATH=src python docs/make_walk.py
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "pullback"
PAGE = Path(__file__).with_name("architecture.md")
HEAD, END = "<!-- walks: made by `make docs` -->\n", "<!-- end of the walks -->\n"
#: How far a list is indented at most.
_DEEPEST = 5

#: For each walk its title, what is done beforehand, twice what is walked, and the walk. All know x and y, three floats each.
WALKS = (
    ("An eager operation", "", "tf.reduce_sum(x * y)"),
    (
        "A tape's gradient",
        """
with tf.GradientTape(persistent=True) as tape:
    tape.watch([x, y])
    z = tf.reduce_sum(x * y)
""",
        "tape.gradient(z, [x, y])",
    ),
    (
        "A graph's gradient",
        """
import pullback.compat.v1 as v1
graph = tf.Graph()
with graph.as_default():
    a = v1.placeholder(tf.float32, [3])
    z = tf.reduce_sum(a * a)
scope = graph.as_default()
scope.__enter__()
""",
        "tf.gradients(z, [a])",
    ),
    (
        "That gradient in a session",
        """
import pullback.compat.v1 as v1
graph = tf.Graph()
with graph.as_default():
    a = v1.placeholder(tf.float32, [3])
    gradient = tf.gradients(tf.reduce_sum(a * a), [a])
session = v1.Session(graph=graph)
fed = {a: [1.0, 2.0, 3.0]}
""",
        "session.run(gradient, fed)",
    ),
    (
        "A compiled function, from its second call on",
        """
@tf.function(jit_compile=True)
def f(x, y):
    return tf.reduce_sum(x * y)
""",
        "f(x, y)",
    ),
)

#: The clock stands still: how long calls take decides when a plan is compiled, and must not change a walk.
PROGRAM = """
import sys
import time
time.perf_counter = lambda: 0.0
import pullback as tf
x = tf.constant([1.0, 2.0, 3.0]); y = tf.constant([4.0, 5.0, 6.0])
{before}
def walk():
    return {walked}
walk(), walk()
depth = 0
def note(frame, event, argument):
    global depth
    if event == "call":
        print(depth, frame.f_code.co_filename, frame.f_code.co_qualname, sep="\\t")
    depth += (event == "call") - (event == "return")
sys.setprofile(note)
walk()
sys.setprofile(None)
"""


@cache
def sentences(path: Path) -> dict[str, str]:
    """The first sentence of each function's docstring in a file, by qualified name."""
    found: dict[str, str] = {}
    todo: list[tuple[str, ast.AST]] = [("", ast.parse(path.read_text(encoding="utf-8")))]
    for prefix, holder in todo:
        for node in ast.iter_child_nodes(holder):
            if isinstance(node, ast.ClassDef):
                todo.append((f"{prefix}{node.name}.", node))
            elif isinstance(node, ast.FunctionDef):
                found[prefix + node.name] = " ".join((ast.get_docstring(node) or "").partition("\n\n")[0].split())
                todo.append((f"{prefix}{node.name}.<locals>.", node))
            else:
                todo.append((prefix, node))
    return found


def told(path: Path, name: str) -> str:
    """What a function says of itself, or what the function says that made it; nothing for what is too small to say anything."""
    said = sentences(path)
    while name not in said or not said[name]:
        name, inside, own = name.rpartition(".<locals>.")
        if not inside or own.startswith("<"):
            return ""
    return said[name]


def passed(before: str, walked: str) -> Iterator[tuple[int, Path, str]]:
    """The functions of the package that a program passes, in order: how deep each lies, its file and its name."""
    program = PROGRAM.format(before=before, walked=walked)
    lines = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.splitlines()
    for line in lines:
        depth, file, name = line.split("\t")
        if (path := Path(file)).is_relative_to(SOURCE) and path.is_file():  # rules and programs made as text have no file
            yield int(depth), path.relative_to(SOURCE), name


def walk(title: str, before: str, walked: str) -> str:
    """One walk as a list. A function stands where it is passed first."""
    lines: list[str] = []
    above: list[int] = []
    seen: set[tuple[Path, str]] = set()
    for depth, path, name in passed(before, walked):
        sentence = told(SOURCE / path, name)
        while above and above[-1] >= depth:
            above.pop()
        if not sentence or (path, name) in seen or path.parts[0] == "base" or len(above) == _DEEPEST:
            continue
        seen.add((path, name))
        place = f"{path.as_posix()}:{name.replace('<locals>.', '')}"
        lines.append(f"{'  ' * len(above)}- [`{place}`](../src/pullback/{path.as_posix()}): {sentence}\n")
        above.append(depth)
    return f"### {title}\n\n`{walked}`\n\n{''.join(lines)}"


def page() -> str:
    """The page, with the walks as the source is now."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(HEAD)
    walks = "\n".join(walk(*each) for each in WALKS)
    return f"{before}{HEAD}\n{walks}\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
