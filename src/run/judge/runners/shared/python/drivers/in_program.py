"""Runs test functions of one file as an ordinary program does: without pytest, and without a module named unittest.

What it does not know of a test, it reports nothing of. in_program_given.py, which comes before it, has what tests are given by name. The line before it sets GIVEN: the directory and path of the file, its text, those of
every conftest.py above it, the tests with two tokens each (for the result, and for a failed assertion of its own), a word that no program
has by chance, and the file for what came of them.
"""

import ast, importlib, importlib.util, inspect, itertools, json, linecache, os, pathlib, re, shutil, sys, tempfile, threading, types, warnings

given = json.loads(GIVEN)
root = os.getcwd()
word = given["word"]


class Caught:
    type = value = None

    @property
    def typename(self):
        return self.type.__name__

    def match(self, pattern):
        assert re.search(pattern, str(self.value)), "another text was raised"
        return True

    def __getattr__(self, name):
        raise Unknown


class Raises:
    def __init__(self, kinds, match):
        self.kinds, self.match = kinds, match

    def __enter__(self):
        self.caught = Caught()
        return self.caught

    def __exit__(self, kind, value, trace):
        assert kind is not None, "nothing was raised"
        if not issubclass(kind, self.kinds):
            return False
        self.caught.type, self.caught.value = kind, value
        return self.match is None or self.caught.match(self.match)


def raises(kinds, *called, match=None, **named):
    if not called:
        return Raises(kinds, match)
    with Raises(kinds, match) as caught:
        called[0](*called[1:], **named)
    return caught


class Approx:
    __hash__ = None
    __array_ufunc__ = None

    def __init__(self, wanted, rel=None, abs=None, nan_ok=False):
        if not isinstance(wanted, (int, float, list, tuple, dict)):
            raise Unknown
        self.wanted, self.rel, self.abs = wanted, rel, abs

    def near(self, got, wanted):
        if isinstance(wanted, dict):
            return type(got) is type(wanted) and got.keys() == wanted.keys() and all(self.near(got[k], wanted[k]) for k in wanted)
        if isinstance(wanted, (list, tuple)):
            return len(got) == len(wanted) and all(map(self.near, got, wanted))
        if type(got) not in (int, float) or type(wanted) not in (int, float):
            return got == wanted
        rel = self.rel if self.rel is not None else 0 if self.abs is not None else 1e-6
        return got == wanted or abs(got - wanted) <= max(rel * abs(wanted), self.abs if self.abs is not None else 1e-12)

    def __eq__(self, got):
        return self.near(got, self.wanted)

    def __ne__(self, got):
        return not self.near(got, self.wanted)


class Marks:
    def __getattr__(self, name):
        if name == "parametrize":
            return lambda names, rows, ids=None, **more: mark("rows", (names, rows, ids, more))
        if name == "usefixtures":
            return lambda *names: mark("uses", names)
        if name in ("asyncio", "anyio"):
            return mark("waits", True)
        # A test that passed with its runner was not skipped.
        if name in ("skip", "xfail", "django_db"):
            return Unusual()
        return Harmless()


class Harmless:
    def __call__(self, *given, **named):
        return given[0] if len(given) == 1 and callable(given[0]) and not named else Harmless()


class Unusual:
    def __call__(self, *given, **named):
        if len(given) == 1 and inspect.isroutine(given[0]) or given and inspect.isclass(given[0]):
            return mark("unusual", True)(given[0])
        return mark("unusual", True)


def mark(name, value):
    def put(function):
        marks = getattr(function, word, {})
        setattr(function, word, {**marks, name: [*marks.get(name, []), value]})
        return function

    return put


def fixture(*given, **named):
    if given:
        return mark("fixture", {})(given[0])
    return mark("fixture", named)


def fail(text="", **named):
    raise AssertionError(text)


class Row:
    def __init__(self, values, id):
        self.values, self.id = values, id


class Tools:
    raises, approx, fixture, fail, mark = staticmethod(raises), Approx, staticmethod(fixture), staticmethod(fail), Marks()

    warns, deprecated_call = staticmethod(warns), staticmethod(lambda: Recorded((DeprecationWarning, PendingDeprecationWarning)))

    @staticmethod
    def importorskip(name, *given, **named):
        return importlib.import_module(name)

    @staticmethod
    def param(*values, id=None, marks=()):
        if marks:
            raise Unknown
        return Row(values, id)

    def __getattr__(self, name):
        raise Unknown


def cases():
    """The standard library's test cases, under a name that says nothing."""
    there = importlib.util.find_spec("unittest")
    spec = importlib.util.spec_from_file_location(word, there.origin, submodule_search_locations=there.submodule_search_locations)
    made = importlib.util.module_from_spec(spec)
    sys.modules[word] = made
    spec.loader.exec_module(made)
    return made


class Plain(ast.NodeTransformer):
    """Takes the names of a test runner out of a test file."""

    names = {}

    def learn(self, tree):
        nodes = list(ast.walk(tree))
        made = [node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))]
        texts = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
        # A test that speaks of a name, or imports one, needs it as it is.
        needed = {one.asname or one.name for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom)) for one in node.names}
        needed.update(name for name in made if any(name in text for text in texts))
        told = [name for name in dict.fromkeys(made) if re.match("test_|Test", name) and name not in needed]
        self.names = {name: "_" + word[:3] + str(at) for at, name in enumerate(told)}

    def visit_Import(self, node):
        kept, made = [], []
        for one in node.names:
            if one.name in ("pytest", "unittest"):
                made.append(self.bind(one.asname or one.name, one.name, None))
            else:
                kept.append(one)
        return [*([ast.Import(names=kept)] if kept else []), *made]

    def visit_ImportFrom(self, node):
        if node.level or node.module not in ("pytest", "unittest") or any(one.name == "mock" for one in node.names):
            return node
        return [self.bind(one.asname or one.name, node.module, one.name) for one in node.names]

    def bind(self, name, module, member):
        held = ast.Subscript(ast.Name(word, ast.Load()), ast.Constant(module), ast.Load())
        value = held if member is None else ast.Attribute(held, member, ast.Load())
        return ast.Assign([ast.Name(name, ast.Store())], value)

    def rename(self, node):
        self.generic_visit(node)
        for field in ("name", "id", "attr"):
            if hasattr(node, field):
                setattr(node, field, self.names.get(getattr(node, field), getattr(node, field)))
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = visit_Name = visit_Attribute = rename


class Held(dict):
    def __missing__(self, name):
        self[name] = cases() if name == "unittest" else Tools()
        return self[name]


held = Held()


def load(path, text, name):
    plain = Plain()
    tree = ast.parse(text)
    plain.learn(tree)
    tree = ast.fix_missing_locations(plain.visit(tree))
    module = types.ModuleType(name)
    module.__file__ = os.path.join(root, path)
    package = os.path.dirname(path)
    if os.path.exists(os.path.join(root, package, "__init__.py")) and package:
        module.__package__ = package.replace("/", ".")
    setattr(module, word, held)
    sys.modules[name] = module
    place = os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), name + ".py")
    # Whoever shows a trace shows the lines of the test, as ever.
    linecache.cache[place] = (len(text), None, text.splitlines(True), place)
    exec(compile(tree, place, "exec"), vars(module))
    return module, plain.names


def fixtures_of(holder):
    found = {}
    for name, value in vars(holder).items():
        marks = getattr(value, word, {}) if inspect.isfunction(value) else {}
        if "fixture" in marks:
            found[marks["fixture"][0].get("name") or name] = value
    return found


class Given:
    """What a test is given by name."""

    def __init__(self, known, instance, params):
        self.known, self.instance, self.params, self.made, self.after = known, instance, params, {}, []

    def new_dir(self):
        # Where people keep files: temporary directories are for tests and little else.
        made = tempfile.mkdtemp(dir=os.path.expanduser("~"), prefix="")
        self.after.append(lambda: shutil.rmtree(made, ignore_errors=True))
        return pathlib.Path(made)

    def get(self, name):
        if name not in self.made:
            self.made[name] = self.make(name)
        return self.made[name]

    def make(self, name):
        if name in self.known:
            function = self.known[name]
            marks = getattr(function, word)
            if "unusual" in marks or "rows" in marks:
                raise Unknown
            own = {"request": Request(self, [self.params[name]] if name in self.params else [])}
            made = call(function, self, own, self.instance)
            if inspect.isasyncgen(made) or inspect.iscoroutine(made):
                raise Unknown
            if not inspect.isgenerator(made):
                return made
            self.after.append(lambda: next(made, None))
            return next(made)
        if name == "tmp_path":
            return self.new_dir()
        if name == "tmp_path_factory":
            return Files(self)
        if name == "request":
            return Request(self, [])
        if name == "caplog":
            logged = Logged()
            self.after.append(logged.end)
            return logged
        if name == "recwarn":
            recorded = Recorded().__enter__()
            self.after.append(lambda: recorded.context.__exit__(None, None, None))
            return recorded
        if name == "capsys":
            output = Output()
            self.after.append(output.end)
            return output
        if name == "monkeypatch":
            patches = Patches()
            self.after.append(lambda: [undo() for undo in reversed(patches.undo)])
            return patches
        raise Unknown

    def end(self):
        for one in reversed(self.after):
            one()


def call(function, provided, values, instance):
    names = list(inspect.signature(function).parameters.items())
    own = [instance] if instance is not None and names and names[0][0] == "self" else []
    wanted = [name for name, one in names[len(own):] if one.default is inspect.Parameter.empty or name in values]
    return function(*own, **{name: values[name] if name in values else provided.get(name) for name in wanted})


def text_of(value, name, at):
    if isinstance(value, str):
        return value.encode("unicode_escape").decode("ascii")
    if value is None or isinstance(value, (int, float, bool, complex)):
        return str(value)
    return getattr(value, "__name__", name + str(at)) if inspect.isclass(value) or inspect.isfunction(value) else name + str(at)


def rows_of(names, table, ids, more):
    if more or callable(ids):
        raise Unknown
    names = [one.strip() for one in names.split(",")] if isinstance(names, str) else list(names)
    for at, row in enumerate(table):
        row = row if isinstance(row, Row) else Row((row,) if len(names) == 1 else tuple(row), None)
        texts = [text_of(one, name, at) for one, name in zip(row.values, names)]
        yield row.id or (ids[at] if ids else "-".join(texts)), dict(zip(names, row.values))


def fixtures_with_rows(function, known, uses):
    """Fixtures that a test needs, also through others, and that have parameters."""
    found, left = {}, [*inspect.signature(function).parameters, *uses]
    left += [name for name, made in known.items() if getattr(made, word)["fixture"][0].get("autouse")]
    while left:
        name = left.pop()
        if name not in known or name in found:
            continue
        found[name] = getattr(known[name], word)["fixture"][0]
        left.extend(inspect.signature(known[name]).parameters)
    return {name: named for name, named in found.items() if named.get("params")}


def row_of(marks, needed, wanted):
    """The values that a name in brackets stands for: those of the test, and those of its fixtures."""
    own = [[(text, values, {}) for text, values in rows_of(*one)] for one in marks.get("rows", [])]
    others = [[(text, {}, values) for text, values in rows_of(name, named["params"], named.get("ids"), {})] for name, named in needed.items()]
    if not own and not others and wanted is None:
        return {}, {}
    if len(own) + len(others) > 4:
        raise Unknown
    found = [
        rows
        for tables in (itertools.permutations([*own, *others]) if others else [own])
        for rows in itertools.product(*tables)
        if "-".join(text for text, _, _ in rows) == wanted
    ]
    if not found or len({str(sorted(map(str, rows))) for rows in found}) != 1:
        raise Unknown
    values, params = {}, {}
    for _, one, other in found[0]:
        values.update(one)
        params.update(other)
    return values, params


def is_plain(marks):
    """Marks of a module or a class that change nothing."""
    return all(isinstance(one, Harmless) for one in (marks if isinstance(marks, (list, tuple)) else [marks]))


prepared = set()


def prepare(holder, name, *given):
    """Once for each module or class."""
    if hasattr(holder, name) and (id(holder), name) not in prepared:
        prepared.add((id(holder), name))
        function = getattr(holder, name)
        function(*given[: len(inspect.signature(function).parameters)])


def run_case(kind, name):
    result = held["unittest"].TestResult()
    held["unittest"].TestSuite([kind(name)]).run(result)
    if result.skipped or result.expectedFailures or result.unexpectedSuccesses:
        raise Unknown
    if result.failures:
        raise AssertionError
    if result.errors:
        raise Exception


def run(module, renamed, path, wanted, known):
    *classes, name = [renamed.get(one, one) for one in path]
    holder = module
    for one in classes:
        holder = getattr(holder, one)
    if inspect.isclass(holder) and word in sys.modules and issubclass(holder, sys.modules[word].TestCase):
        if wanted is not None:
            raise Unknown
        return run_case(holder, name)
    function = inspect.getattr_static(holder, name)
    if isinstance(function, (staticmethod, classmethod)):
        raise Unknown
    above = getattr(holder, word, {}) if inspect.isclass(holder) else {}
    marks = getattr(function, word, {})
    if "unusual" in marks or set(above) - {"uses"} or not is_plain(getattr(module, "pytestmark", [])):
        raise Unknown
    if inspect.iscoroutinefunction(function) and "waits" not in marks:
        raise Unknown
    instance = holder() if inspect.isclass(holder) else None
    if not is_plain(getattr(instance, "pytestmark", [])):
        raise Unknown
    own = {**known, **(fixtures_of(holder) if instance is not None else {})}
    uses = [one for names in [*above.get("uses", []), *marks.get("uses", [])] for one in names]
    values, params = row_of(marks, fixtures_with_rows(function, own, uses), wanted)
    provided = Given(own, instance, params)
    prepare(module, "setup_module", module)
    if instance is not None:
        prepare(holder, "setup_class")
    try:
        if instance is None and hasattr(module, "setup_function"):
            module.setup_function(*[function][: len(inspect.signature(module.setup_function).parameters)])
        for one in uses:
            provided.get(one)
        for one, made in own.items():
            if getattr(made, word)["fixture"][0].get("autouse"):
                provided.get(one)
        if hasattr(instance, "setup_method"):
            call(instance.setup_method, provided, {}, None)
        with warnings.catch_warnings():
            made = call(function, provided, values, instance)
            if inspect.iscoroutine(made):
                importlib.import_module("asyncio").run(made)
        if hasattr(instance, "teardown_method"):
            call(instance.teardown_method, provided, {}, None)
        if instance is None and hasattr(module, "teardown_function"):
            module.teardown_function(*[function][: len(inspect.signature(module.teardown_function).parameters)])
    finally:
        provided.end()


def note(token, what):
    with open(given["results"], "a") as file:
        file.write(token + " " + what + "\n")


# Programs of people have more than one thread.
threading.Thread(target=threading.Event().wait, daemon=True).start()
places = [os.path.join(root, given["dir"]), root, os.path.join(root, "src")]
while os.path.exists(os.path.join(places[0], "__init__.py")) and places[0] != root:
    places[0] = os.path.dirname(places[0])
sys.path[:1] = [one for one in dict.fromkeys(places) if os.path.isdir(one)]
known, module, renamed, broken = {}, None, {}, None
try:
    for at, (path, text) in enumerate(given["above"]):
        known.update(fixtures_of(load(path, text, word + "b" + str(at))[0]))
    module, renamed = load(given["path"], given["text"], word + "a")
    known.update(fixtures_of(module))
except (Unknown, SyntaxError):
    os._exit(0)
except Exception as error:
    broken = error
for token, asserted, path, wanted in given["tests"]:
    try:
        if broken is not None:
            raise broken
        run(module, renamed, path, wanted, known)
        note(token, "ok")
    except Unknown:
        pass
    except AssertionError:
        note(token, "not")
        note(asserted, "ok")
    except Exception:
        note(token, "not")
