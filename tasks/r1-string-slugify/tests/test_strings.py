import pytest

from strings import slugify


@pytest.mark.parametrize(
    "title, slug",
    [
        ("Hello World", "hello-world"),
        ("already-a-slug", "already-a-slug"),
        ("Version 2.0", "version-2-0"),
    ],
    ids=["two-words", "slug-stays", "digits-kept"],
)
def test_plain_titles(title, slug):
    assert slugify(title) == slug


def test_runs_of_separators_become_one_hyphen():
    assert slugify("rock  &  roll") == "rock-roll"


def test_no_hyphen_at_either_end():
    assert slugify("  (hello)  ") == "hello"


def test_accents_are_dropped_not_the_letters():
    assert slugify("Crème brûlée") == "creme-brulee"


def test_nothing_to_keep_gives_the_empty_string():
    assert slugify("?!…") == ""
