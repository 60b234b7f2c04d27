"""Runs pytest for a verifier script and tells its parent the outcome of every test: `verifier_pytest.py <descriptor> <arguments>`."""

import json
import os
import sys

out = int(sys.argv[1])
# A child of the code under test must not inherit the way to the verdict.
os.set_inheritable(out, False)


def tell(said):
    data = (json.dumps(said) + "\n").encode()
    while data:
        data = data[os.write(out, data) :]


def leave(code):
    # No atexit handler, finaliser or thread of the code under test gets a word after the tests.
    tell({"done": code})
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


import pytest  # noqa: E402


class Reporter:
    def __init__(self):
        self._outcomes = {}

    def pytest_collectreport(self, report):
        if report.failed:
            tell({"id": report.nodeid or "collection", "outcome": "error"})

    def pytest_runtest_logreport(self, report):
        before = self._outcomes.get(report.nodeid, "passed")
        if report.failed:
            self._outcomes[report.nodeid] = "failed" if report.when == "call" else "error"
        elif report.skipped and before == "passed":
            self._outcomes[report.nodeid] = "skipped"
        else:
            self._outcomes[report.nodeid] = before

    def pytest_runtest_logfinish(self, nodeid):
        tell({"id": nodeid, "outcome": self._outcomes.pop(nodeid, "error")})


SEALED = "/tests"
args = sys.argv[2:]
options = ["-p", "no:cacheprovider"]
named = [os.path.abspath(arg.split("::")[0]) for arg in args if not arg.startswith("-")]
if any(path == SEALED or path.startswith(SEALED + "/") for path in named):
    # The workspace must not configure tests that lie outside it.
    options += ["--rootdir=" + SEALED, "--confcutdir=" + SEALED]
    if not any(os.path.exists(os.path.join(SEALED, name)) for name in ("pytest.ini", "tox.ini", "setup.cfg", "pyproject.toml")):
        options += ["-c", os.path.join(os.path.dirname(os.path.abspath(__file__)), "empty.ini")]
# After the standard library and installed packages: nothing of the workspace can stand in for them.
sys.path.extend([entry for entry in os.environ.get("PYTHONPATH", "").split(":") if entry] + [os.getcwd()])
leave(int(pytest.main(options + args, plugins=[Reporter()])))
