"""What the README and the page of first tasks say is what runs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import make_notebooks
import make_pictures

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
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


@pytest.mark.parametrize("path", make_notebooks.programs(), ids=lambda path: path.stem)
def test_a_program_of_the_site_runs_and_holds_what_it_says(path: Path, tmp_path: Path) -> None:
    """Its last cell asserts it.  `make site` runs all of them, with what they need besides."""
    text = path.read_text()
    for name in {"matplotlib", "pandas"}.intersection(re.findall(r"^import (\w+)", text, re.MULTILINE)):
        pytest.importorskip(name, reason=f"{path.stem} needs {name}; make site runs it")
    assert re.search(r'^# %% tags=\["check"\]\n(?:.*\n)*?assert ', text, re.MULTILINE)
    assert printed(path, tmp_path)


def test_the_page_of_first_tasks_and_the_menu_have_every_program() -> None:
    page, menu = (ROOT / "docs" / "first-tasks.md").read_text(), (ROOT / "mkdocs.yml").read_text()
    programs = make_notebooks.programs()
    assert len(programs) == 16
    for path in programs:
        name = path.relative_to(ROOT / "examples").with_suffix("").as_posix()
        assert f"](../examples/{name}.py)" in page
        assert f": {name}.md\n" in menu


@pytest.mark.parametrize("path", make_notebooks.programs(), ids=lambda path: path.stem)
def test_a_program_of_the_site_is_a_notebook(path: Path) -> None:
    """Text first, under one title, with links that lead somewhere; nothing that it prints is written into it."""
    cells = re.split(r"^# %%(.*)\n", path.read_text(), flags=re.MULTILINE)
    kinds, texts = cells[1::2], cells[2::2]
    assert cells[0] == "" and kinds[0] == " [markdown]" and kinds[-1] == ' tags=["check"]'
    assert set(kinds[:-1]) == {" [markdown]", ""}
    prose = [text for kind, text in zip(kinds, texts, strict=True) if kind == " [markdown]"]
    assert all(re.fullmatch(r'"""\n((?!""").|\n)*"""\n+', text) for text in prose)
    assert re.findall(r"^# (.*)$", "\n".join(prose), re.MULTILINE) == re.findall(r"^# (.*)$", prose[0], re.MULTILINE)[:1]
    assert all((path.parent / link).is_file() for link in re.findall(r"\]\(([^)]+)\)", "".join(prose)))
    assert max(len(section.split()) for section in re.split(r"^#+ ", "\n".join(prose), flags=re.MULTILINE)) < 200


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


def test_every_program_of_a_page_is_run() -> None:
    """Programs are typed at a prompt, which the doctests run; those of two pages are whole files, which the tests of these pages run."""
    for path in [*sorted((ROOT / "docs").glob("*.md")), ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md"]:
        text = path.read_text()
        assert "+SKIP" not in text, path
        if path.name not in ("moving.md", "adding-an-op.md"):
            assert [block for block in re.findall(r"^```python\n(.*)", text, re.MULTILINE) if not block.startswith(">>> ")] == [], path


#: All pages but the list of differences that `make against` writes, which has a line to filter it by.
PAGES = [path for path in sorted((ROOT / "docs").glob("*.md")) if path.name != "against.md"]
PAGES += [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md"]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_no_wall_of_text(path: Path) -> None:
    text = re.sub(r"```.*?```|<!-- walks: .*<!-- end of the walks -->", "", path.read_text(), flags=re.DOTALL)
    prose = "\n".join(line for line in text.splitlines() if not line.startswith("|"))
    walls = [section.splitlines()[0] for section in re.split(r"^(?=#+ )", prose, flags=re.MULTILINE) if len(section.split()) > 200]
    assert walls == []
