"""The programs of examples/first and examples/tutorials as notebooks: run when the site is built, and shown with what they print and draw.

A program is a Python file whose cells begin with `# %%`, and those of text with `# %% [markdown]` (Jupytext's percent format). Editors open
it as a notebook, and it runs as it is. Its last cell, tagged `check`, holds the program to what the text says; readers do not see it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

EXAMPLES = Path(__file__).parents[1] / "examples"
FOLDERS = ("first", "tutorials")
CHECK = "check"


@dataclass(frozen=True)
class Notebook:
    """A program that was run: its page, the pictures on it, and what can be downloaded."""

    path: str
    page: str
    pictures: dict[str, bytes]
    program: str
    notebook: str

    def files(self) -> Iterator[tuple[str, str | bytes]]:
        """What the site has of it, each by its path."""
        yield f"{self.path}.md", self.page
        yield f"{self.path}.py", self.program
        yield f"{self.path}.ipynb", self.notebook
        folder = self.path.rpartition("/")[0]
        for name, data in self.pictures.items():
            yield f"{folder}/{name}", data


def programs() -> list[Path]:
    """The programs that become notebooks."""
    return [path for folder in FOLDERS for path in sorted((EXAMPLES / folder).glob("*.py"))]


def notebooks() -> list[Notebook]:
    """Every program, run in a kernel of its own, two at a time.  Raises CellExecutionError with the cell that failed."""
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(run_program, programs()))


def run_program(program: Path) -> Notebook:
    """Run one program, and make its page."""
    import jupytext
    from nbclient import NotebookClient

    path = program.relative_to(EXAMPLES).with_suffix("").as_posix()
    notebook: Any = jupytext.read(program)
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    with TemporaryDirectory() as folder:
        client = NotebookClient(notebook, timeout=300, resources={"metadata": {"path": folder}}, extra_arguments=["--log-level=ERROR"])
        client.execute()
    notebook.cells = [cell for cell in notebook.cells if CHECK not in cell.metadata.get("tags", ())]
    page, pictures = shown(notebook, program.stem)
    page = re.sub(r"\]\(([\w./]+)\.py\)", r"](\1.md)", page.replace("](../../docs/", "](../"))
    links = f"To run it: [the program]({program.stem}.py), [the notebook]({program.stem}.ipynb).\n"
    return Notebook(path, f"{page}\n\n---\n\n{links}", pictures, program.read_text(), jupytext.writes(notebook, fmt="ipynb"))


def shown(notebook: Any, name: str) -> tuple[str, dict[str, bytes]]:
    """A notebook that was run as Markdown, and its pictures."""
    from nbconvert import MarkdownExporter
    from traitlets.config import Config

    exporter = MarkdownExporter(config=Config({"NbConvertBase": {"display_data_priority": ["text/html", "image/png", "text/plain"]}}))
    page, resources = exporter.from_notebook_node(notebook, {"unique_key": name, "output_files_dir": name})
    return page, resources["outputs"]
