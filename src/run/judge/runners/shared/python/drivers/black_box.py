"""The tests' side of the black box: modules of the workspace are proxies that ask the other sandbox.

Nothing that the other side says is looked up here by its name: an answer is a plain value, an exception of a fixed table,
or "something callable" and "a module", which are then asked for by the path under which the tests found them.
"""

import builtins
import importlib.machinery
import json
import os
import sys
import threading
import types

from plain_values import LONGEST_LINE, encode, plain

# Taken before any test runs. An exception that ends an iteration would end a loop of the tests without a word.
EXCEPTIONS = {
    name: kind
    for name, kind in vars(builtins).items()
    if isinstance(kind, type) and issubclass(kind, Exception) and not name.startswith("Stop")
}
BUILTIN_NAMES = frozenset(vars(builtins))
# What a test runner reads from a test module by name.
RUNNER_NAMES = frozenset(
    "load_tests collect_ignore collect_ignore_glob setUpModule tearDownModule"
    " setup setup_module setup_function teardown teardown_module teardown_function".split()
)


class Wire:
    """One question, one answer. Once `gone`, nothing the tests conclude counts."""

    def __init__(self, fd):
        os.set_inheritable(fd, False)
        self._fd = fd
        self._rest = b""
        self._lock = threading.Lock()
        self.gone = False

    def ask(self, request, *answers):
        """The name and the content of the one answer, which is one of `answers`. An exception is raised."""
        data = encode(request)
        with self._lock:
            try:
                while data:
                    data = data[os.write(self._fd, data):]
                reply = json.loads(self._read_line())
                check(reply, answers)
            except (OSError, EOFError, ValueError, RecursionError) as error:
                self.gone = True
                raise ConnectionError("the code under test ended or broke off: %s" % error) from None
            except BaseException:
                # Interrupted between question and answer: the next answer would belong to this question.
                self.gone = True
                raise
        if "e" in reply:
            raise exception(reply)
        return next(iter(reply.items()))

    def _read_line(self):
        parts, size = [self._rest], len(self._rest)
        while b"\n" not in parts[-1]:
            chunk = os.read(self._fd, 1 << 16)
            size += len(chunk)
            if not chunk:
                raise EOFError("no answer")
            if size > LONGEST_LINE:
                raise ValueError("an answer of more than %d bytes" % LONGEST_LINE)
            parts.append(chunk)
        line, _, self._rest = b"".join(parts).partition(b"\n")
        return line


def check(reply, answers):
    if not isinstance(reply, dict):
        raise ValueError("not an answer")
    if "e" in reply:
        sound = set(reply) <= {"e", "t", "a"} and isinstance(reply["e"], str) and isinstance(reply.get("t", ""), str)
    else:
        sound = len(reply) == 1 and next(iter(reply)) in answers
    if not sound:
        raise ValueError("not an answer to what was asked")


def exception(reply):
    """Only built-in exceptions, so that none can mean something to the test runner itself."""
    text = reply.get("t", "")
    kind = EXCEPTIONS.get(reply["e"])
    if kind is None:
        return RuntimeError("%s: %s" % (reply["e"], text))
    args = reply.get("a")
    for arguments in ([args] if isinstance(args, list) else []) + [[text]]:
        try:
            return kind(*arguments)
        except Exception:
            continue
    return RuntimeError("%s: %s" % (kind.__name__, text))


class Subject:
    """The other side, as the tests may see it."""

    def __init__(self, wire, sealed, modules):
        self.wire = wire
        self.sealed = sealed
        # Top-level names that the tree itself has: the worker does not decide which modules there are.
        self.modules = frozenset(modules)
        # Modules that an import of the tests brought over, by name.
        self.served = {}

    def load(self, name):
        return self.wire.ask({"m": name}, "v")[1]

    def call(self, root, path, args, kwargs):
        return self.wire.ask({"m": root, "f": path, "a": plain(args), "k": plain(kwargs)}, "v")[1]

    def read(self, root, path):
        """What the tests see of a name. The runner's own look at an object never gets to the other side."""
        if self.test_frame() is None:
            raise AttributeError("black box: %s.%s can be read by tests only" % (root, path))
        name = root + "." + path
        if self.sealed.has(name):
            raise AttributeError("%s belongs to the sealed tests" % name)
        kind, value = self.wire.ask({"m": root, "f": path}, "v", "c", "p")
        if kind == "c":
            return Callable(self, root, path)
        if kind == "p":
            return self.served.get(name) or Module(self, root, path)
        return value

    def test_frame(self):
        """The frame of a sealed file that asks, unless other code does so on its own."""
        frame = sys._getframe(1)
        while frame is not None:
            file = frame.f_code.co_filename
            passes_on = file == __file__ or file.startswith("<") or file.endswith("/importlib/__init__.py")
            if not passes_on:
                return frame if file.startswith(self.sealed.folder + "/") else None
            frame = frame.f_back
        return None


class Callable:
    def __init__(self, subject, root, path):
        self.__name__ = self.__qualname__ = path
        self.__module__ = root
        self.__subject__ = subject

    def __call__(self, *args, **kwargs):
        return self.__subject__.call(self.__module__, self.__name__, args, kwargs)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self.__subject__.read(self.__module__, self.__name__ + "." + name)

    def __repr__(self):
        return "<%s.%s behind the black box>" % (self.__module__, self.__name__)


class Module(types.ModuleType):
    """`path` is empty for what was imported; else it is how `root`, which was, leads to this one."""

    def __init__(self, subject, root, path=""):
        super().__init__(root + "." + path if path else root)
        self.__dict__.update(__subject__=subject, __root__=root, __path_below__=path)

    def __getattr__(self, name):
        if name == "__all__":
            return self._public_names()
        if name.startswith("__") and name != "__version__":
            raise AttributeError("module %r has no attribute %r" % (self.__name__, name))
        return self.__subject__.read(self.__root__, self._below(name))

    def __setattr__(self, name, value):
        if name.startswith("__") or isinstance(value, types.ModuleType):
            super().__setattr__(name, value)
        else:
            raise TypeError("black box: %s.%s cannot be replaced from a test" % (self.__name__, name))

    def _below(self, name):
        return self.__path_below__ + "." + name if self.__path_below__ else name

    def _public_names(self):
        """`import *` puts names into a test module: none of them may replace what the tests or their runner rely on."""
        names = self.__subject__.read(self.__root__, self._below("__all__"))
        frame = self.__subject__.test_frame()
        if frame is None or frame.f_code.co_name != "<module>":
            return names
        if not (isinstance(names, list) and all(isinstance(name, str) for name in names)):
            raise TypeError("black box: __all__ of %s is not a list of names" % self.__name__)
        return [name for name in names if may_bind(name, frame.f_globals)]


def may_bind(name, bound):
    if not name.isidentifier() or name in BUILTIN_NAMES or name in RUNNER_NAMES:
        return False
    if name.startswith("_") or name.startswith("pytest"):
        return False
    return name not in bound or isinstance(bound[name], (Module, Callable))


class Loader:
    def __init__(self, subject, error):
        self._subject, self._error = subject, error

    def create_module(self, spec):
        module = Module(self._subject, spec.name)
        self._subject.served[spec.name] = module
        return module

    def exec_module(self, module):
        if self._error is not None:
            raise self._error


class Finder:
    """Serves what the sealed tests import of the tree, and nothing else: no import of the runner's own leads to the other side."""

    def __init__(self, subject, own_paths):
        self._subject, self._own_paths = subject, [os.path.realpath(path) for path in own_paths]

    def find_spec(self, name, path=None, target=None):
        subject = self._subject
        parent = name.rpartition(".")[0]
        known = parent in subject.served if parent else name in subject.modules and not self._is_installed(name)
        # Tests are often laid out like the packages that they test; then the runner imports the package first.
        folder = subject.sealed.folder_for(name)
        if not known or (folder is None and subject.test_frame() is None):
            return None
        error, kind = None, "module"
        try:
            kind = subject.load(name)
        except Exception as raised:
            error = raised
        if kind is None:
            return None
        spec = importlib.machinery.ModuleSpec(name, Loader(subject, error), is_package=kind == "package")
        if folder is not None:
            spec.submodule_search_locations = [folder]
        return spec

    def _is_installed(self, name):
        """No name of the workspace can stand in for a module that is installed here."""
        paths = [path for path in sys.path if os.path.realpath(path) not in self._own_paths]
        spec = importlib.machinery.PathFinder.find_spec(name, paths)
        return spec is not None and spec.loader is not None


def install(wire, sealed, folders, modules):
    finder = Finder(Subject(wire, sealed, modules), [sealed.folder] + folders)
    sys.meta_path.insert(sys.meta_path.index(importlib.machinery.PathFinder), finder)
