"""The pages that are made from the program say what it is."""

import make_coverage
import make_ops
import make_pictures
import make_walk
import make_why


def test_the_table_of_operations_is_up_to_date() -> None:
    assert make_ops.PAGE.read_text() == make_ops.page(), "run `make docs`"


def test_the_table_of_coverage_is_up_to_date() -> None:
    assert make_coverage.PAGE.read_text() == make_coverage.page(), "run `make docs`"


def test_the_picture_of_jacobians_is_up_to_date() -> None:
    assert make_pictures.PAGE.read_text() == make_pictures.page(), "run `make docs`"


def test_every_question_about_gradients_has_its_picture_and_it_is_up_to_date() -> None:
    drawn = make_why.pictures()
    assert {path: path.read_text() for path in make_why.PICTURES.iterdir()} == drawn, "run `make docs`"
    for heading, text in make_why.questions().items():
        assert f"(why/{make_why.slug(heading)}.svg)" in text, heading


def test_the_walks_through_the_source_pass_the_functions_they_name() -> None:
    assert make_walk.PAGE.read_text() == make_walk.page(), "run `make docs`"
    for title, before, walked in make_walk.WALKS:
        assert make_walk.walk(title, before, walked).count("- [`") >= 5, title
