from checks.compare import pairs
from tests.helpers import same
from folders import names
from folders.words import *

PATHS = ["a" + SEPARATOR + "b.txt", "c/./d/"]


def test_last():
    for got, wanted in pairs(names.basename, PATHS, ["b.txt", ""]):
        same(got, wanted)


def test_parent():
    for got, wanted in pairs(names.dirname, PATHS, ["a", "c/./d"]):
        same(got, wanted)


def test_plain():
    for got, wanted in pairs(names.normpath, PATHS, ["a/b.txt", "c/d"]):
        same(got, wanted)
