"""The tree's own modules come before installed ones of the same name, as they do for `python3 -m` in its directory."""

import importlib.machinery
import sys

STANDARD = getattr(sys, "stdlib_module_names", None)


class TreeFirst:
    """`names`: modules that the folders had before the patch. One that it brings stands in for nothing."""

    def __init__(self, folders, names):
        self._folders = folders
        self._names = frozenset(name for name in names if may_come_first(name))

    def find_spec(self, name, path=None, target=None):
        if path is not None or name not in self._names:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, self._folders)
        return spec if spec is not None and spec.loader is not None else None


def may_come_first(name):
    """Nothing stands in for the standard library but a directory of tests, which has the name of Python's own."""
    return name == "test" or (STANDARD is not None and name not in STANDARD)


def install(folders, names):
    sys.meta_path.insert(0, TreeFirst(folders, names))
