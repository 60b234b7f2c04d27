"""Runs pytest with nothing but the harness's configuration and reports each test over the channel."""

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
root = tests if sealed else directory

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


def leave(exit_code):
    # No atexit handler, finaliser or thread of the code under test gets a word after the tests.
    channel.done(exit_code)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(exit_code)


try:
    import pytest
except ImportError:
    channel.missing("pytest")
    leave(4)


def file_of(node_id):
    return os.path.join(root, node_id.split("::")[0])


class Reporter:
    def __init__(self):
        self._outcomes = {}
        self._reported = set()

    def _report(self, test_id, outcome):
        # A test whose code went away in the middle has not been decided, whatever it made of that.
        if test_id in self._reported or (wire is not None and wire.gone):
            return
        self._reported.add(test_id)
        channel.test(test_id, outcome, file_of(test_id))

    @pytest.hookimpl(tryfirst=True)
    def pytest_collectstart(self, collector):
        # In pytest 7 a package is a kind of module.
        if isinstance(collector, pytest.File) and not isinstance(collector, pytest.Package):
            channel.collected(str(collector.path))

    def pytest_collectreport(self, report):
        if report.failed:
            self._report(report.nodeid or "collection", "error")

    def pytest_runtest_logreport(self, report):
        before = self._outcomes.get(report.nodeid, "passed")
        if report.failed and plan["lenient"] and "black box: " in str(report.longrepr):
            self._outcomes[report.nodeid] = "skipped"
        elif report.failed:
            self._outcomes[report.nodeid] = "failed" if report.when == "call" else "error"
        elif report.skipped and before == "passed":
            self._outcomes[report.nodeid] = "skipped"
        else:
            self._outcomes[report.nodeid] = before

    def pytest_runtest_logfinish(self, nodeid):
        self._report(nodeid, self._outcomes.pop(nodeid, "error"))

    @pytest.hookimpl(tryfirst=True)
    def pytest_load_initial_conftests(self):
        compiled_files.distrust_tree(workspace, installed)

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self, config):
        os.chdir(directory)

    def pytest_sessionfinish(self, session):
        # To print its summary, this plugin loads all of Hypothesis, even where no test does: it can take longer than all
        # tests together.
        plugins = session.config.pluginmanager
        if plugins.has_plugin("hypothesispytest") and "hypothesis" not in sys.modules:
            plugins.unregister(plugins.get_plugin("hypothesispytest"))

    def pytest_ignore_collect(self, collection_path):
        if not sealed:
            return None
        path = str(collection_path)
        return None if path == tests or path.startswith(tests + "/") or tests.startswith(path + "/") else True


TAKES_A_VALUE = {"-k", "-m", "-p", "-o", "-W", "-r", "-n"}


def absolute(args):
    """Of a folder around sealed tests only these are meant."""
    after = None
    for arg in args:
        path = os.path.normpath(os.path.join(directory, arg.split("::")[0]))
        if arg.startswith("-") or after in TAKES_A_VALUE or not os.path.exists(path):
            yield arg
        elif only is not None:
            pass
        elif sealed and (tests + "/").startswith(path + "/"):
            yield tests
        else:
            yield os.path.join(directory, os.path.normpath(arg) if "::" not in arg else arg)
        after = arg


def asked_for():
    words = list(absolute(plan["args"]))
    return words if only is None else words + [os.path.join(root, test_id) for test_id in only]


# Sealed tests come before the workspace, both after the standard library: neither can stand in for it.
folders = [os.path.normpath(os.path.join(directory, entry)) for entry in plan["python_path"]] + [directory]
sys.path.extend(([tests] if sealed else []) + folders)
# A file that cannot be loaded fails; the others still run, so that it is known how they stand.
options = ["--rootdir=" + root, "--confcutdir=" + root, "-p", "no:cacheprovider", "--continue-on-collection-errors"]
if sealed:
    options += ["-c", HERE + "/empty.ini", "--import-mode=importlib"]
    names = sealed_names.SealedNames(tests, folders, plan["new_modules"])
    sealed_names.install(names)
    if wire is not None:
        black_box.install(wire, names, folders, plan["modules"])
else:
    tree_first.install(folders, plan["own_modules"])
# Where nothing is named, pytest looks for tests and conftest files in the current folder.
os.chdir(root)
leave(int(pytest.main(options + asked_for(), plugins=[Reporter()])))
