"""What tests are given by name, without pytest: output, logs, warnings, patches, directories. Comes before in_program.py."""

import collections, contextlib, importlib, inspect, io, os, re, sys, warnings


class Unknown(BaseException):
    """A test needs something that is not here."""


class Recorded:
    """Warnings, as a test reads them. Given kinds: one of them must be there at the end."""

    def __init__(self, kinds=None, match=None):
        self.kinds, self.match, self.list = kinds, match, []

    def __enter__(self):
        self.context = warnings.catch_warnings(record=True)
        self.list = self.context.__enter__()
        warnings.simplefilter("always")
        return self

    def __exit__(self, kind, value, trace):
        self.context.__exit__(kind, value, trace)
        if kind is None and self.kinds is not None:
            assert any(self.fits(one) for one in self.list), "nothing was warned of"

    def fits(self, one):
        return issubclass(one.category, self.kinds) and (self.match is None or re.search(self.match, str(one.message)))

    def pop(self, kind=Warning):
        found = [one for one in self.list if issubclass(one.category, kind)]
        assert found, "nothing was warned of"
        self.list.remove(found[0])
        return found[0]

    def clear(self):
        self.list.clear()

    def __len__(self):
        return len(self.list)

    def __iter__(self):
        return iter(self.list)

    def __getitem__(self, at):
        return self.list[at]

    def __getattr__(self, name):
        raise Unknown


def warns(kinds=Warning, *called, match=None, **named):
    if not called:
        return Recorded(kinds, match)
    with Recorded(kinds, match):
        return called[0](*called[1:], **named)


class Patches:
    def __init__(self):
        self.undo = []

    def setattr(self, target, name, *value, raising=True):
        if isinstance(target, str):
            place, _, member = target.rpartition(".")
            value, target, name = (name,), importlib.import_module(place), member
        old = inspect.getattr_static(target, name, Unknown)
        self.undo.append(lambda: delattr(target, name) if old is Unknown else setattr(target, name, old))
        setattr(target, name, *value)

    def setenv(self, name, value, prepend=None):
        self.setitem(os.environ, name, str(value))

    def delenv(self, name, raising=True):
        self.delitem(os.environ, name, raising)

    def setitem(self, holder, name, value):
        there, old = name in holder, holder.get(name)
        self.undo.append(lambda: holder.__setitem__(name, old) if there else holder.pop(name, None))
        holder[name] = value

    def delitem(self, holder, name, raising=True):
        if name in holder:
            old = holder.pop(name)
            self.undo.append(lambda: holder.__setitem__(name, old))
        elif raising:
            raise KeyError(name)

    def chdir(self, path):
        old = os.getcwd()
        self.undo.append(lambda: os.chdir(old))
        os.chdir(path)

    def __getattr__(self, name):
        raise Unknown


class Output:
    """What the code prints, as a test reads it."""

    both = collections.namedtuple("Captured", "out err")

    def __init__(self):
        self.old = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = self.made = [self.stream(one) for one in self.old]

    @staticmethod
    def stream(like):
        return io.TextIOWrapper(io.BytesIO(), "utf-8", newline="", write_through=True)

    def readouterr(self):
        texts = [one.buffer.getvalue().decode("utf-8", "replace") for one in self.made]
        for one in self.made:
            one.seek(0)
            one.truncate()
        return self.both(*texts)

    def end(self):
        sys.stdout, sys.stderr = self.old

    def __getattr__(self, name):
        raise Unknown


class Logged:
    """What the code logs, as a test reads it. No logger has a handler for it: programs of people have none either."""

    def __init__(self):
        self.logging = importlib.import_module("logging")
        self.records, self.levels, self.least = [], [], 0
        self.old = old = self.logging.Logger.callHandlers

        def pass_on(logger, record):
            above = logger
            while above.parent is not None and above.propagate:
                above = above.parent
            if above.parent is None and record.levelno >= self.least:
                self.records.append(record)
            old(logger, record)

        self.logging.Logger.callHandlers = pass_on

    @property
    def messages(self):
        return [one.getMessage() for one in self.records]

    @property
    def record_tuples(self):
        return [(one.name, one.levelno, one.getMessage()) for one in self.records]

    @property
    def text(self):
        form = self.logging.Formatter("%(levelname)-8s %(name)s:%(filename)s:%(lineno)d %(message)s")
        return "".join(form.format(one) + "\n" for one in self.records)

    def clear(self):
        self.records.clear()

    def set_level(self, level, logger=None):
        named = self.logging.getLogger(logger)
        self.levels.append((named, named.level))
        named.setLevel(level)
        self.least = self.logging._checkLevel(level)

    @contextlib.contextmanager
    def at_level(self, level, logger=None):
        named = self.logging.getLogger(logger)
        old = named.level, self.least
        named.setLevel(level)
        self.least = self.logging._checkLevel(level)
        try:
            yield
        finally:
            named.setLevel(old[0])
            self.least = old[1]

    def end(self):
        self.logging.Logger.callHandlers = self.old
        for named, level in reversed(self.levels):
            named.setLevel(level)

    def __getattr__(self, name):
        raise Unknown


class Files:
    def __init__(self, given):
        self.given = given

    def mktemp(self, name, numbered=True):
        made = self.given.new_dir() / name
        made.mkdir()
        return made

    def getbasetemp(self):
        return self.given.new_dir()


class Request:
    def __init__(self, given, param):
        self.given = given
        if param:
            self.param = param[0]

    def addfinalizer(self, function):
        self.given.after.append(function)

    def getfixturevalue(self, name):
        return self.given.get(name)

    def __getattr__(self, name):
        raise Unknown
