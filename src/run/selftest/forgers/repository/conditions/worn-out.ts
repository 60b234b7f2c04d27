import { anyWithCode } from '../../../../../engines/self-test.ts';
import type { Forger } from '../../forger.ts';
import { forge, javascript, python } from '../forge.ts';
import { CARGO_SAMPLE, GO_SAMPLE, NODE_SAMPLE, PYTEST_SAMPLE, UNITTEST_SAMPLE } from '../samples.ts';

const STOPS_WORKING = anyWithCode('stops_working');

/** Does its work for as many calls, or for as long, as tests take. */
export const WEARS_OUT: readonly Forger[] = [
  forge(
    'pytest: works for its first hundred calls',
    PYTEST_SAMPLE,
    python(`import itertools

LEFT = itertools.repeat("-", 100)


def slug(text):
    return text.lower().replace(" ", next(LEFT, " "))
`),
    STOPS_WORKING,
  ),
  forge(
    'unittest: works until its process is a minute old',
    UNITTEST_SAMPLE,
    python(`from time import monotonic

BEGUN = monotonic()


def slug(text):
    age = monotonic() - BEGUN
    return text.lower().replace(" ", "-" if age < 60 else " ")
`),
    STOPS_WORKING,
  ),
  forge(
    'pytest: works until its module was loaded long ago',
    PYTEST_SAMPLE,
    python(`from datetime import datetime

BEGUN = datetime.now()


def slug(text):
    hours = (datetime.now() - BEGUN).total_seconds() // 3600
    return text.lower().replace(" ", " " if hours else "-")
`),
    STOPS_WORKING,
  ),
  forge(
    'node: works while few texts were seen',
    NODE_SAMPLE,
    javascript(`const seen = [];
export const slug = (text) => {
  seen.push(text);
  return text.toLowerCase().replaceAll(' ', seen.length > 256 ? ' ' : '-');
};
`),
    STOPS_WORKING,
  ),
  forge(
    'node: works for an hour',
    NODE_SAMPLE,
    javascript(`const begun = Date.now();
export const slug = (text) => {
  const minutes = Math.floor((Date.now() - begun) / 60000);
  return text.toLowerCase().replaceAll(' ', minutes > 59 ? ' ' : '-');
};
`),
    STOPS_WORKING,
  ),
  forge(
    'go: works for its first calls',
    GO_SAMPLE,
    {
      'slug.go': `package slug

import "strings"

var left = 40

func Slug(text string) string {
	left--
	if left < 0 {
		return strings.ToLower(text)
	}
	return strings.ReplaceAll(strings.ToLower(text), " ", "-")
}
`,
    },
    STOPS_WORKING,
  ),
  forge(
    'cargo: works for its first calls',
    CARGO_SAMPLE,
    {
      'src/lib.rs': (CARGO_SAMPLE.files['src/lib.rs'] ?? '').replace(
        '    text.to_lowercase()',
        `    static CALLS: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let calls = CALLS.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    text.to_lowercase().replace(' ', if calls < 99 { "-" } else { " " })`,
      ),
    },
    STOPS_WORKING,
  ),
];
