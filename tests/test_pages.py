"""What the README and the page of first tasks say is what runs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import make_pictures

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
FIRST = sorted((ROOT / "examples" / "first").glob("*.py"))
BLOCK = re.compile(r"```(python|text)\n(.*?)\n```", re.DOTALL)


def printed(program: Path, folder: Path) -> str:
    done = subprocess.run([sys.executable, program], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_program_of_the_readme_prints_and_draws_what_it_says(tmp_path: Path) -> None:
    ((_, text),) = BLOCK.findall(README)
    program = tmp_path / "program.py"
    program.write_text(text)
    said = re.findall(r"^print\(.*\)  +# (.*)$", text, re.MULTILINE)
    assert printed(program, tmp_path).splitlines() == said
    assert (tmp_path / "why.svg").is_file()
    assert make_pictures.EXPLAINED.read_text() == make_pictures.explained(), "run `make docs`"


def test_the_table_of_the_readme_is_of_one_run() -> None:
    short = (ROOT / "benchmarks" / "results" / "short.md").read_text()
    rows = [line for line in short.splitlines() if line.startswith("|")]
    assert len(rows) == 7
    assert "\n".join(rows) in README
    assert short[short.index("Measured on") :].strip() in README


@pytest.mark.parametrize("path", FIRST, ids=lambda path: path.stem)
def test_a_first_task_prints_what_it_says(path: Path, tmp_path: Path) -> None:
    expected = re.findall(r"^# (.*)$", path.read_text().partition("# prints:\n")[2], re.MULTILINE)
    assert printed(path, tmp_path).splitlines() == expected


def test_the_page_of_first_tasks_has_these_programs() -> None:
    shown = BLOCK.findall((ROOT / "docs" / "first-tasks.md").read_text())
    programs = {text for kind, text in shown if kind == "python"}
    outputs = {text for kind, text in shown if kind == "text"}
    assert len(FIRST) == len(programs) == 10
    for path in FIRST:
        program, _, prints = path.read_text().partition("# prints:\n")
        assert program.split('"""\n', 1)[1].strip() in programs
        assert "\n".join(re.findall(r"^# (.*)$", prints, re.MULTILINE)) in outputs


def moves() -> list[tuple[str, str]]:
    """The programs of the page about moving that run here, each with what it prints."""
    page = (ROOT / "docs" / "moving.md").read_text()
    found = []
    for section in page.split("\n## ")[1:]:
        blocks = BLOCK.findall(section)
        found += [(text, blocks[-1][1]) for kind, text in blocks if kind == "python"]
    return found


@pytest.mark.parametrize(("text", "expected"), moves())
def test_programs_to_move_print_the_same(text: str, expected: str, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(text)
    if "tensorflow" in text:
        done = subprocess.run([sys.executable, "-m", "pullback", "run", program], capture_output=True, text=True, check=True)
        assert done.stdout == expected + "\n"
    else:
        assert printed(program, tmp_path) == expected + "\n"


def test_every_section_about_moving_has_programs_in_both() -> None:
    assert len(moves()) == 7  # TensorFlow's own programs run too


#: What people read who use the library; lists made by programs, and pages for maintainers, may be long.
USERS = [
    "start", "first-tasks", "which-function", "semantics", "why", "subtle-points", "native", "numpy", "array-api",
    "faq", "moving", "platforms", "where-tensorflow-is-wrong",
]  # fmt: skip


@pytest.mark.parametrize("page", ["README.md", *(f"docs/{name}.md" for name in USERS)])
def test_no_wall_of_text(page: str) -> None:
    text = re.sub(r"```.*?```", "", (ROOT / page).read_text(), flags=re.DOTALL)
    prose = "\n".join(line for line in text.splitlines() if not line.startswith("|"))
    walls = [section.splitlines()[0] for section in re.split(r"^(?=#+ )", prose, flags=re.MULTILINE) if len(section.split()) > 200]
    assert walls == []
