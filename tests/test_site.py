"""The pages of the site that are made when it is built."""

from __future__ import annotations

import re

import make_site
from pullback.interop.faces import namespaces

PAGES = dict(make_site.reference())


def test_the_reference_has_a_page_for_every_namespace_and_lists_it() -> None:
    index = PAGES["reference/index.md"]
    for space in ("pullback", "tf", "tf.math", "tf.nn", "tf.linalg", "tf1", "tf1.train"):
        assert f"]({space}.md)" in index
        assert f"reference/{space}.md" in PAGES
    assert len(PAGES) > 60


def test_the_reference_has_every_name_of_a_namespace() -> None:
    page = PAGES["reference/tf.math.md"]
    assert set(re.findall(r"^## `tf\.math\.(\w+)`$", page, re.MULTILINE)) == set(namespaces()["tf.math"]) - {"special"}


def test_fences_are_closed_and_examples_are_code() -> None:
    for path, page in PAGES.items():
        assert page.count("\n```") % 2 == 0, path
        outside = re.sub(r"^```.*?^```$", "", page, flags=re.DOTALL | re.MULTILINE)
        assert not re.search(r"^>>> ", outside, re.MULTILINE), path


def test_a_docstring_becomes_markdown() -> None:
    text = make_site.rendered("Does a thing.\n\nArgs:\n    x: a tensor < 1.\n\n>>> f(1)\n2\n\nMore.")
    assert text == "Does a thing.\n\n**Args**\n\n- x: a tensor &lt; 1.\n\n\n```pycon\n>>> f(1)\n2\n```\n\nMore."


def test_links_to_sources_and_folders_become_their_names() -> None:
    linked = "[runs](engine/run.py), [workers](workers) and [the table](results/short.md#a); `x[0](y)`"
    assert make_site._name_sources(linked, "measured/README.md") == "runs, workers and [the table](results/short.md#a); `x[0](y)`"


def test_links_called_after_a_file_are_called_after_its_title() -> None:
    assert make_site._name_pages("[why.md](why.md#a) [x.md](y.md)") == "[Ask a gradient why](why.md#a) [x.md](y.md)"
