"""Runs unittest with a result class that the code under test has no base class to patch, and reports over the channel."""

import os
import sys

# Drivers of all runners lie in one directory when they run.
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from channel import Channel  # noqa: E402

channel = Channel(3)
plan = channel.plan
tests, workspace, sealed, only = plan["tests"], plan["workspace"], plan["sealed"], plan["only"]
# Where the command runs, and what its paths are meant from.
directory = plan["dir"]

import compiled_files  # noqa: E402
import sealed_names  # noqa: E402
import tree_first  # noqa: E402

wire = None
if plan["black_box"]:
    import black_box

    wire = black_box.Wire(4)
sys.path.remove(HERE)
installed = list(sys.path)
# These names belong to tests and workspace again.
for name in ("channel", "compiled_files", "sealed_names", "tree_first", "black_box", "plain_values"):
    sys.modules.pop(name, None)

import argparse  # noqa: E402
import traceback  # noqa: E402
import unittest  # noqa: E402

RANK = {"passed": 0, "skipped": 1, "failed": 2, "error": 3}


FAILED = "unittest.loader._FailedTest."
asked_names = []


def name_of(test_id):
    return test_id[len(FAILED):] if test_id.startswith(FAILED) else test_id


def module_file(name):
    """Also of a module that could not be loaded."""
    known = getattr(sys.modules.get(name), "__file__", None)
    if known is not None:
        return known
    for folder in sys.path:
        for ending in (".py", "/__init__.py"):
            path = os.path.join(folder, name.replace(".", "/") + ending)
            if os.path.exists(path):
                return path
    return None


def file_of(test):
    test_id = test.id()
    if not test_id.startswith(FAILED):
        return module_file(type(test).__module__)
    # Asked for by its name, a module that fails is called by the last part of it.
    name = name_of(test_id)
    wanted = [name] + [asked for asked in asked_names if asked.endswith("." + name)]
    return next(filter(None, map(module_file, wanted)), None)


def fixture_file(test_id):
    """Of `setUpClass (package.module.Class)` and `setUpModule (package.module)`."""
    place = test_id.partition("(")[2].rstrip(")")
    return module_file(place) or module_file(place.rpartition(".")[0])


def each_test(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from each_test(test)
        else:
            yield test


def keep_only(suite):
    """Keeps the nesting, on which the fixtures of classes and modules depend."""
    kept = []
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            keep_only(test)
            kept.append(test)
        elif name_of(test.id()) in only:
            kept.append(test)
    suite._tests = kept


class Loader(unittest.TestLoader):
    def loadTestsFromModule(self, module, *args, **kwargs):
        channel.collected(getattr(module, "__file__", None))
        return super().loadTestsFromModule(module, *args, **kwargs)


class Result(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self.ok = True
        self.count = 0
        self._outcome = "passed"
        self._running = None

    def _mark(self, test, outcome, err=None):
        if err is not None and plan["lenient"] and "black box: " in "".join(traceback.format_exception(*err)):
            outcome = "skipped"
        if RANK[outcome] > RANK[self._outcome]:
            self._outcome = outcome
        if err is not None:
            print("".join(traceback.format_exception(*err)), file=sys.stderr)
        if outcome in ("failed", "error"):
            self.ok = False
        if self._running is None:
            # setUpClass, setUpModule and the like are no tests; only their failure is news.
            if outcome in ("failed", "error"):
                self._report(test.id(), outcome, fixture_file(test.id()))
            self._outcome = "passed"

    def _report(self, test_id, outcome, path):
        if wire is not None and wire.gone:
            return
        print(test_id, "...", outcome, file=sys.stderr)
        self.count += 1
        channel.test(name_of(test_id), outcome, path)

    def startTest(self, test):
        self._running, self._outcome = test, "passed"

    def stopTest(self, test):
        self._running = None
        self._report(test.id(), self._outcome, file_of(test))

    def addSuccess(self, test):
        pass

    def addError(self, test, err):
        self._mark(test, "error", err)

    def addFailure(self, test, err):
        self._mark(test, "failed", err)

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self._mark(test, "failed", err)

    def addSkip(self, test, reason):
        self._mark(test, "skipped")

    def addExpectedFailure(self, test, err):
        pass

    def addUnexpectedSuccess(self, test):
        self._mark(test, "failed")

    def wasSuccessful(self):
        return self.ok


def load():
    loader = Loader()
    parser = argparse.ArgumentParser(prog="python3 -m unittest")
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("-q", "--quiet", action="store_true")
    parser.add_argument("-b", "--buffer", action="store_true")
    parser.add_argument("-f", "--failfast", action="store_true")
    parser.add_argument("-k", dest="patterns", action="append")
    discovering = "discover" in plan["args"] or not any(not arg.startswith("-") for arg in plan["args"])
    if discovering:
        parser.add_argument("discover", nargs="?")
        parser.add_argument("-s", "--start-directory", dest="start", default=None)
        parser.add_argument("-p", "--pattern", default="test*.py")
        parser.add_argument("-t", "--top-level-directory", dest="top", default=None)
        parser.add_argument("rest", nargs="*")
        options = parser.parse_args(plan["args"])
        words = options.rest + [None] * 3
        start = options.start or words[0]
        top = options.top or words[2]
    else:
        parser.add_argument("names", nargs="*")
        options = parser.parse_args(plan["args"])
    if options.patterns:
        loader.testNamePatterns = [p if "*" in p else "*%s*" % p for p in options.patterns]
    if discovering and sealed:
        inside = os.path.normpath(os.path.join(directory, start or tests))
        folder = inside if inside.startswith(tests + "/") else tests
        return options, loader.discover(folder, words[1] or options.pattern, tests)
    if discovering:
        top = os.path.join(directory, top) if top else None
        return options, loader.discover(os.path.join(directory, start or "."), words[1] or options.pattern, top)
    asked_names.extend(module_name(name) for name in options.names)
    return options, loader.loadTestsFromNames(asked_names)


def module_name(name):
    """`tests/test_x.py` and `tests.test_x` both name the sealed module `test_x`: one id, however it was asked for."""
    if name.endswith(".py"):
        name = os.path.normpath(name)[:-3].replace("/", ".")
    prefix = os.path.basename(tests) + "."
    return name[len(prefix):] if sealed and name.startswith(prefix) else name


# Present already, so that discovery does not put them before the standard library.
folders = [os.path.normpath(os.path.join(directory, entry)) for entry in plan["python_path"]] + [directory]
sys.path.extend(([tests] if sealed else []) + folders)
if sealed:
    names = sealed_names.SealedNames(tests, folders, plan["new_modules"])
    sealed_names.install(names)
    if wire is not None:
        black_box.install(wire, names, folders, plan["modules"])
else:
    tree_first.install(folders, plan["own_modules"])
os.chdir(directory)
compiled_files.distrust_tree(workspace, installed)
options, suite = load()
for test in each_test(suite):
    channel.collected(file_of(test))
if only is not None:
    only = set(only)
    keep_only(suite)
result = Result()
result.failfast = options.failfast
suite.run(result)
exit_code = 5 if result.count == 0 and result.ok else 0 if result.ok else 1
# No atexit handler, finaliser or thread of the code under test gets a word after the tests.
channel.done(exit_code)
sys.stdout.flush()
sys.stderr.flush()
os._exit(exit_code)
