"""The sandbox of the code under test: answers what the tests ask, and knows nothing of tests or verdicts.

`{m}` imports a module, `{m, f}` reads a name of it, `{m, f, a, k}` calls it. The answer is one of `{v}` a plain value,
`{c}` something callable, `{p}` a module, `{e, t, a}` an exception, by the name of its nearest built-in class.
"""

import builtins
import fcntl
import importlib
import json
import os
import sys
import threading
import types

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from compiled_files import distrust_tree  # noqa: E402
from plain_values import encode, plain  # noqa: E402

sys.path[:] = [entry for entry in sys.path if entry != HERE]
# These names belong to the workspace again.
del sys.modules["compiled_files"], sys.modules["plain_values"]
# The descriptor can be named by an argument.
BY_HAND = len(sys.argv) > 1
WIRE = int(sys.argv.pop()) if BY_HAND else 3
# Where nobody expects one. The code sees no other that it did not open.
WIRE, given = fcntl.fcntl(WIRE, fcntl.F_DUPFD_CLOEXEC, 20 + os.getpid() % 40), WIRE
os.close(given)
workspace = os.getcwd()
distrust_tree(workspace, sys.path)
# Where a person's program has it, or where it hides nothing of Python.
sys.path.insert(0 if BY_HAND else len(sys.path), workspace)
if BY_HAND:
    # Programs of people have more than one.
    threading.Thread(target=threading.Event().wait, daemon=True).start()


def load(name):
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(error.name + ".")):
            return {"v": None}
        raise
    return {"v": "package" if hasattr(module, "__path__") else "module"}


def look_up(module_name, dotted):
    found = sys.modules[module_name]
    for name in dotted.split("."):
        found = getattr(found, name)
    return found


def public_names(module):
    return list(getattr(module, "__all__", None) or (name for name in vars(module) if not name.startswith("_")))


def answer(request):
    module, name = request["m"], request.get("f")
    if name is None:
        return load(module)
    if name == "__all__":
        return {"v": plain(public_names(sys.modules[module]))}
    found = look_up(module, name)
    if "a" in request:
        return {"v": plain(found(*request["a"], **request["k"]))}
    if isinstance(found, types.ModuleType):
        return {"p": 1}
    if callable(found):
        return {"c": 1}
    return {"v": plain(found)}


def refusal(error):
    for kind in type(error).__mro__:
        known = getattr(builtins, kind.__name__, None)
        if known is kind and issubclass(kind, Exception):
            break
    else:
        kind = RuntimeError
        error = RuntimeError("%s: %s" % (type(error).__name__, error))
    reply = {"e": kind.__name__, "t": str(error)}
    try:
        reply["a"] = plain(error.args)
    except Exception:
        pass
    return reply


def reply_to(line):
    try:
        return encode(answer(json.loads(line)))
    except BaseException as error:
        try:
            return encode(refusal(error))
        except BaseException:
            return encode({"e": "RuntimeError", "t": "the code under test raised something that cannot be told"})


with os.fdopen(WIRE, "rb", closefd=False) as requests:
    for line in requests:
        data = reply_to(line)
        while data:
            data = data[os.write(WIRE, data):]
os._exit(0)
