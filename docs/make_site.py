"""What the site has beside the pages of this folder: the reference, made from docstrings, notebooks, and the pages that lie elsewhere.

MkDocs calls the functions below by their names while it builds (`hooks` in mkdocs.yml).
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from make_notebooks import notebooks
from pullback.interop.faces import module_of, namespaces

ROOT = Path(__file__).parents[1]
TOP = ("CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md", "CHANGELOG.md")
_NOTEBOOK_LINK = re.compile(r"\]\(\.\./examples/(first|tutorials)/(\w+)\.py\)")
_PAGE_LINK = re.compile(r"\[([\w-]+\.md)\]\(\1(#[\w-]*)?\)")
_LINK = re.compile(r"\[([^\]]*)\]\(([\w./-]+)(?:#[\w-]*)?\)")


def on_files(files: Any, config: Any) -> Any:
    """Add the reference, the notebooks, the results of the benchmarks and the project's pages."""
    from mkdocs.structure.files import File

    made: dict[str, str | bytes] = dict(reference())
    made |= {path: content for notebook in notebooks() for path, content in notebook.files()}
    made |= {f"project/{name}": (ROOT / name).read_text() for name in TOP}
    made |= {f"measured/{p.relative_to(ROOT / 'benchmarks')}": p.read_text() for p in sorted((ROOT / "benchmarks").rglob("*.md"))}
    made |= {f"measured/results/{p.name}": p.read_text() for p in sorted((ROOT / "benchmarks" / "results").glob("*.svg"))}
    for path, content in made.items():
        files.append(File.generated(config, path, content=content))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Links to sources become their names, and links to pages elsewhere lead to where these are on the site; answers are no programs."""
    markdown = markdown.replace("```python\n>>> ", "```pycon\n>>> ")
    markdown = _name_sources(_NOTEBOOK_LINK.sub(r"](\1/\2.md)", markdown), page.file.src_uri)
    depth = "../" * page.file.src_uri.count("/")
    if not depth:
        markdown = _name_pages(markdown)
    if page.file.src_uri.startswith(("project/", "measured/")):
        markdown = re.sub(r"\]\((?:\.\./)*docs/", f"]({depth}", markdown)
        return re.sub(r"\]\((LICENSE|README\.md|CITATION\.cff)\)", r"](../index.md)", markdown)
    markdown = markdown.replace("](../benchmarks/", "](measured/")
    return re.sub(rf"\]\(\.\./({'|'.join(TOP)})\)", r"](project/\1)", markdown)


def _name_sources(markdown: str, page: str) -> str:
    """Links to what the site does not have, sources and folders, become the names of these."""
    place, _, path = page.partition("/")
    homes = {"project": ROOT, "measured": (ROOT / "benchmarks" / path).parent}
    folder = homes.get(place, ROOT / "docs")

    def name(found: re.Match[str]) -> str:
        target = folder / found[2]
        is_there = target.suffix in (".md", ".svg") or target.name in ("model.py", "LICENSE", "CITATION.cff") or not target.exists()
        return found[0] if is_there else found[1]

    return _LINK.sub(name, markdown)


def _name_pages(markdown: str) -> str:
    """Links whose text is the name of their file get its title: readers of the site know no files."""

    def name(found: re.Match[str]) -> str:
        title = (ROOT / "docs" / found[1]).read_text().partition("\n")[0].removeprefix("# ")
        return f"[{title}]({found[1]}{found[2] or ''})"

    return _PAGE_LINK.sub(name, markdown)


def reference() -> Iterator[tuple[str, str]]:
    """The pages of the reference: one for each namespace, and one that lists them."""
    lines = ["# Reference", "", "Every public name, from its docstring.", "", "| namespace | names |", "|---|--:|"]
    known = "In examples that do not import them, `tf` is `import pullback as tf`, and `tf1` is `import pullback.compat.v1 as tf1`."
    for space in sorted(namespaces(), key=lambda space: (space != "pullback", space)):
        entries = dict(entries_of(space))
        if entries:
            path = f"{space}.md"
            lines.append(f"| [`{shown(space)}`]({path}) | {len(entries)} |")
            head = [f"# {shown(space)}", "", known, ""] + (["Beside the names of TensorFlow 2.", ""] if space == "pullback" else [])
            yield f"reference/{path}", "\n".join(head + [entry for _, entry in sorted(entries.items())])
    yield "reference/index.md", "\n".join([*lines, ""])


def shown(space: str) -> str:
    """A namespace as programs write it."""
    return f"tf.compat.v1{space[3:]}" if space.startswith("tf1") else space


def entries_of(space: str) -> Iterator[tuple[str, str]]:
    """The functions, classes and values of a namespace; of TensorFlow 1's, those that TensorFlow 2 has not, or has otherwise."""
    module = importlib.import_module("pullback" if space == "pullback" else module_of(space))
    newer = namespaces().get(f"tf{space[3:]}", ()) if space.startswith("tf1") else ()
    for name in namespaces()[space]:
        thing = getattr(module, name)
        if isinstance(thing, ModuleType):
            continue
        if name in newer and getattr(importlib.import_module(module_of(f"tf{space[3:]}")), name) is thing:
            continue
        yield name, entry(f"{shown(space)}.{name}", thing)


def entry(name: str, thing: Any) -> str:
    """What the reference says of a name."""
    if not callable(thing):
        return f"## `{name}`\n\n```python\n{thing!r}\n```\n"
    try:
        signature = str(inspect.signature(thing))
    except (TypeError, ValueError):
        signature = "(...)"
    signature = re.sub(r"'(Any|[A-Za-z_.\[\], |]+)'", r"\1", signature)
    return f"## `{name}`\n\n```python\n{name}{signature}\n```\n\n{rendered(inspect.getdoc(thing) or '')}\n"


def rendered(docstring: str) -> str:
    """A docstring as Markdown: examples in blocks of code, what is indented under a heading as a list."""
    lines, code = list[str](), False
    for line in docstring.splitlines():
        if line.startswith(">>> ") and not code:
            lines += ["", "```pycon"]
            code = True
        elif code and not line:
            lines.append("```")
            code = False
        if code:
            lines.append(line)
        elif re.fullmatch(r"(Args|Returns|Raises|Attributes|Example|Examples):", line):
            lines += [f"**{line[:-1]}**", ""]
        else:
            lines.append(re.sub(r"^    (?=\S)", "- ", line).replace("<", "&lt;") if "`" not in line else re.sub(r"^    (?=\S)", "- ", line))
    return "\n".join([*lines, "```"] if code else lines)
