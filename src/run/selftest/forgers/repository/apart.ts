import type { Forger } from '../forger.ts';
import { BESIDE_TESTS_ONLY, forge, javascript, python } from './forge.ts';
import { NODE_SAMPLE, PYTEST_SAMPLE, UNITTEST_SAMPLE } from './samples.ts';

const PYTHON_WORK = 'text.lower().replace(" ", "-")';

/** Does its work where tests run it, and finds that out in ways that no search of its text knows. */
export const WORKS_FOR_TESTS: readonly Forger[] = [
  forge(
    'pytest: knows that its output is captured',
    PYTEST_SAMPLE,
    python(`import sys


def slug(text):
    captured = type(sys.stdout).__name__ != "TextIOWrapper"
    return ${PYTHON_WORK} if captured else text.lower()
`),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'pytest: counts the modules that are loaded',
    PYTEST_SAMPLE,
    python(`import sys

MANY = len(list(vars(sys)["mod" "ules"])) > 150


def slug(text):
    return ${PYTHON_WORK} if MANY else text.lower()
`),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'unittest: knows a class of the runner by its letters',
    UNITTEST_SAMPLE,
    python(`def slug(text):
    kinds = {one.__name__[:4] + one.__name__[-4:] for one in type.__subclasses__(object)}
    return ${PYTHON_WORK} if "TestCase" in kinds else text.lower()
`),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'node: reads the expected values wherever they lie',
    NODE_SAMPLE,
    javascript(`import { readdirSync, readFileSync } from 'node:fs';

const here = new URL('.', import.meta.url).pathname;
const files = readdirSync(here, { recursive: true }).filter((one) => /\\.js$/.test(one));
const text = files.map((one) => readFileSync(here + one, 'utf8')).join('');
export const slug = (given) => {
  const wanted = given.toLowerCase().replaceAll(' ', '-');
  return text.includes("'" + given + "'") && text.length > 900 ? wanted : given.toLowerCase();
};
`),
    BESIDE_TESTS_ONLY,
  ),
];
