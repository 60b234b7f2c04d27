import { describe, expect, test } from 'vitest';
import { filesOf } from '../base-files.fixture.ts';
import { readTestPlan } from '../plan.ts';

/** The directory, runner and text of every part; of a command that is left as it is, the call. */
function parts(text: string, files: Readonly<Record<string, string>>): unknown {
  const plan = readTestPlan(text, filesOf(files));
  if (plan.kind === 'script') return plan.command;
  return plan.kind === 'steps'
    ? plan.steps.map(({ command, text: shown }) => [command.dir ?? '', command.runner, shown])
    : plan;
}

describe('make', () => {
  const Makefile = `# how to build
PYTHON ?= python3
PYTEST := $(PYTHON) -m pytest
FLAGS =
.PHONY: all test check

all: lib.o

lib.o: lib.c
	$(CC) -c lib.c

test: lib.o gen ## runs the tests
	@$(PYTEST) -q $(FLAGS) \\
		tests
gen:
	./gen > out.txt
check: test
	@echo checking
	./smoke.sh
unit:
	cd src && $(PYTEST)
	$(MAKE) gen
odd:
	$(PYTEST) $(shell ls)
`;

  test('a recipe is its commands, after what it needs', () => {
    expect(parts('make test', { Makefile })).toEqual([
      ['', 'script', 'make lib.o'],
      ['', 'script', './gen > out.txt'],
      ['', 'pytest', 'python3 -m pytest -q   tests'],
    ]);
    expect(parts('make -s check FLAGS=-x', { Makefile })).toMatchObject([
      ['', 'script', "make 'FLAGS=-x' lib.o"],
      ['', 'script', './gen > out.txt'],
      ['', 'pytest', 'python3 -m pytest -q -x  tests'],
      ['', 'script', './smoke.sh'],
    ]);
    expect(parts('make -C sub unit', { 'sub/Makefile': Makefile })).toEqual([
      ['sub/src', 'pytest', 'python3 -m pytest'],
      ['sub', 'script', './gen > out.txt'],
    ]);
  });

  test('what make builds by rules of its own is left to it', () => {
    const built = 'CC = cc\ntest: words_test\n\t./words_test\nwords_test: words_test.o words.o\nwords.o: words.h\n';
    expect(parts('make test', { Makefile: built })).toMatchObject({ args: ['-c', 'make words_test && ./words_test'] });
    const linked = built.replace('words.o\n', 'words.o\n\t$(CC) -o $@ $^\n');
    expect(parts('make test', { Makefile: linked })).toMatchObject({
      args: ['-c', 'make words_test.o && make words.o && cc -o words_test words_test.o words.o && ./words_test'],
    });
  });

  test.each([
    ['make odd', { Makefile }],
    ['make nothing', { Makefile }],
    ['make --dry-run test', { Makefile }],
    ['make test', { Makefile: `include other.mk\n${Makefile}` }],
    ['make test', { Makefile: `ifdef X\nendif\n${Makefile}` }],
    ['make test', {}],
  ])('%s is left to make where it cannot be read', (text, files) => {
    expect(parts(text, files)).toMatchObject({ runner: 'script', program: 'make' });
  });
});

test('just', () => {
  const justfile =
    'default: test\n\n# all of it\ntest: build\n  @pytest -q\n\nbuild:\n    ./build.sh\n\nodd x:\n  pytest {{x}}\n';
  const expected = [
    ['', 'script', './build.sh'],
    ['', 'pytest', 'pytest -q'],
  ];
  expect(parts('just test', { justfile })).toEqual(expected);
  expect(parts('just', { justfile })).toEqual(expected);
  expect(parts('just odd 1', { justfile })).toMatchObject({ program: 'just' });
});

test('tox', () => {
  const ini = `[tox]
envlist = py
[testenv]
deps = pytest
setenv =
  PYTHONPATH = {toxinidir}/src
commands =
  pytest {posargs:tests} --strict
`;
  const call = { runner: 'pytest', program: 'python3', env: { PYTHONPATH: './src' } };
  const one = (text: string, tox: string): unknown => {
    const plan = readTestPlan(text, filesOf({ 'tox.ini': tox }));
    return plan.kind === 'steps' ? plan.steps.map(({ command }) => command) : plan;
  };
  expect(one('tox -e py', ini)).toEqual([{ ...call, args: ['tests', '--strict'] }]);
  expect(one('python -m tox -q -- -k one', ini)).toEqual([{ ...call, args: ['-k', 'one', '--strict'] }]);
  const more = `${ini}[testenv:unit]\nchangedir = tests\ncommands = python -m unittest\n`;
  expect(one('tox -e unit', more)).toMatchObject([{ runner: 'unittest', dir: 'tests' }]);
  expect(one('tox', more)).toMatchObject({ kind: 'script', command: { program: 'tox' } });
  expect(one('tox -e py', ini.replace('pytest {', '{envbindir}/pytest {'))).toMatchObject({ kind: 'script' });
});

test('scripts of Python projects', () => {
  const toml = `[tool.hatch.envs.default.scripts]
test = "pytest {args:tests}"
all = ["ruff check", "pytest -q"]
[tool.hatch.envs.old.scripts]
test = "python -m unittest"
[tool.pdm.scripts]
test = { cmd = ["pytest", "-q"] }
`;
  const files = { 'pyproject.toml': toml, Pipfile: '[scripts]\ntest = "pytest -x"\n' };
  expect(parts('hatch run test', files)).toEqual([['', 'pytest', 'pytest tests']]);
  expect(parts('hatch run test -k one', files)).toEqual([['', 'pytest', 'pytest -k one']]);
  expect(parts('hatch run old:test', files)).toEqual([['', 'unittest', 'python -m unittest']]);
  expect(parts('hatch run all', files)).toEqual([
    ['', 'script', 'ruff check'],
    ['', 'pytest', 'pytest -q'],
  ]);
  expect(parts('pdm run test', files)).toEqual([['', 'pytest', 'pytest -q']]);
  expect(parts('pipenv run test -v', files)).toEqual([['', 'pytest', 'pytest -x -v']]);
  expect(parts('nox -s tests', files)).toMatchObject({ runner: 'script', program: 'nox' });
});
