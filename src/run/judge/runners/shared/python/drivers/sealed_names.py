"""Names that belong to the sealed tests: no module that a patch brings can stand in for one of them."""

import fnmatch
import importlib.machinery
import importlib.util
import os
import sys

# Files that are run, not imported.
TEST_FILES = ("test_*.py", "*_test.py", "conftest.py")
STANDARD = frozenset(getattr(sys, "stdlib_module_names", ())) | frozenset(sys.builtin_module_names)


class SealedNames:
    """`beside`: folders of the tree that modules come from. `new`: names in them that it had not before the patch."""

    def __init__(self, folder, beside, new):
        self.folder = folder
        self._beside = beside
        self._new = frozenset(new)
        self._package = os.path.basename(folder)

    def find_spec(self, name, path=None, target=None):
        first = name.partition(".")[0]
        if name == self._package:
            return self._find_tests_package()
        if first == self._package or first in STANDARD:
            return None
        if "." in name:
            return self._find_module(name) if self.has(name) else None
        if path is not None:
            return None
        return self._find_module(name) or self._find_helpers_folder(name)

    def has(self, name):
        """Whether a module below the top is a sealed file, or a package of more than tests."""
        spec = self._find_module(name)
        if spec is None or spec.submodule_search_locations is None:
            return spec is not None
        return any(holds_helpers(folder) for folder in spec.submodule_search_locations)

    def folder_for(self, name):
        """The folder of tests that has a module's name; None: there is none."""
        folder = os.path.join(self.folder, *name.split("."))
        return folder if os.path.isdir(folder) else None

    def _find_tests_package(self):
        start = os.path.join(self.folder, "__init__.py")
        if os.path.isfile(start):
            return importlib.util.spec_from_file_location(
                self._package, start, submodule_search_locations=[self.folder]
            )
        return self._folder_spec(self._package, [self.folder])

    def _find_module(self, name):
        parts = name.split(".")
        spec = importlib.machinery.PathFinder.find_spec(name, [os.path.join(self.folder, *parts[:-1])])
        return spec if spec is not None and spec.loader is not None else None

    def _find_helpers_folder(self, name):
        """A folder without `__init__.py`. Many lay out their tests like the packages that they test: that is no package."""
        folder = os.path.join(self.folder, name)
        if name not in self._new or not holds_helpers(folder):
            return None
        beside = [os.path.join(place, name) for place in self._beside]
        return self._folder_spec(name, [folder] + [place for place in beside if os.path.isdir(place)])

    def _folder_spec(self, name, folders):
        spec = importlib.machinery.ModuleSpec(name, None, is_package=True)
        spec.submodule_search_locations = folders
        return spec


def holds_helpers(folder):
    for place, _, files in os.walk(folder):
        for file in files:
            is_test = any(fnmatch.fnmatch(file, pattern) for pattern in TEST_FILES)
            is_mark = file == "__init__.py" and os.path.getsize(os.path.join(place, file)) == 0
            if file.endswith(".py") and not is_test and not is_mark:
                return True
    return False


def install(names):
    sys.meta_path.insert(sys.meta_path.index(importlib.machinery.PathFinder), names)
