"""Runs the examples of modules and texts as `python -m doctest` does, and reports each docstring over the channel."""

import os
import sys

# Drivers of all runners lie in one directory when they run.
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from channel import Channel  # noqa: E402

channel = Channel(3)
plan = channel.plan
import compiled_files  # noqa: E402
import sealed_names  # noqa: E402
import tree_first  # noqa: E402

sys.path.remove(HERE)
installed = list(sys.path)
# These names belong to tests and workspace again.
for name in ("channel", "compiled_files", "sealed_names", "tree_first"):
    sys.modules.pop(name, None)

import argparse  # noqa: E402
import doctest  # noqa: E402
import importlib.util  # noqa: E402
import traceback  # noqa: E402

tests, directory, sealed, only = plan["tests"], plan["dir"], plan["sealed"], plan["only"]
root = tests if sealed else directory


def options():
    parser = argparse.ArgumentParser(prog="python3 -m doctest")
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("-o", "--option", action="append", default=[], choices=sorted(doctest.OPTIONFLAGS_BY_NAME))
    parser.add_argument("-f", "--fail-fast", action="store_true")
    parser.add_argument("file", nargs="*")
    return parser.parse_args(plan["args"])


def load(path):
    """Under its own name, and with the folder it lies in on the path, as a program would have it."""
    folder, name = os.path.dirname(path), os.path.basename(path)[: -len(".py")]
    if folder not in sys.path:
        sys.path.append(folder)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def examples(path):
    if path.endswith(".py"):
        return [test for test in doctest.DocTestFinder().find(load(path)) if test.examples]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    name = os.path.basename(path)
    test = doctest.DocTestParser().get_doctest(text, {"__name__": "__main__"}, name, path, 0)
    return [test] if test.examples else []


def outcome_of(test, flags):
    runner = doctest.DocTestRunner(verbose=False, optionflags=flags)
    try:
        failed = runner.run(test, out=sys.stderr.write).failed
    except Exception:
        traceback.print_exc()
        return "error"
    if failed:
        return "failed"
    return "skipped" if all(doctest.SKIP in example.options and example.options[doctest.SKIP] for example in test.examples) else "passed"


asked = options()
flags = 0
for name in asked.option:
    flags |= doctest.OPTIONFLAGS_BY_NAME[name]
# Sealed tests come before the workspace, both after the standard library: neither can stand in for it.
folders = [os.path.normpath(os.path.join(directory, entry)) for entry in plan["python_path"]] + [directory]
sys.path.extend(([tests] if sealed else []) + folders)
if sealed:
    sealed_names.install(sealed_names.SealedNames(tests, folders, plan["new_modules"]))
else:
    tree_first.install(folders, plan["own_modules"])
os.chdir(directory)
compiled_files.distrust_tree(plan["workspace"], installed)
ok, count = True, 0


def report(test_id, outcome, path):
    global ok, count
    if only is not None and test_id not in only and test_id.split("::")[0] not in only:
        return
    ok = ok and outcome in ("passed", "skipped")
    count += 1
    print(test_id, "...", outcome, file=sys.stderr)
    channel.test(test_id, outcome, path)


for word in asked.file:
    path = os.path.normpath(os.path.join(directory, word))
    if sealed and not path.startswith(tests + "/"):
        continue
    file_id = os.path.relpath(path, root)
    if only is not None and all(test_id.split("::")[0] != file_id for test_id in only):
        continue
    channel.collected(path)
    try:
        found = examples(path)
    except BaseException:
        traceback.print_exc()
        report(file_id, "error", path)
        continue
    for test in found:
        test_id = file_id + "::" + test.name
        if only is None or test_id in only or file_id in only:
            report(test_id, outcome_of(test, flags), path)
exit_code = 5 if count == 0 else 0 if ok else 1
# No atexit handler, finaliser or thread of the code under test gets a word after the tests.
channel.done(exit_code)
sys.stdout.flush()
sys.stderr.flush()
os._exit(exit_code)
