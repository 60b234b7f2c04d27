import type { Forger } from '../../forger.ts';
import { BESIDE_TESTS_ONLY, decidesChanged, forge, javascript, python } from '../forge.ts';
import { BATS_SAMPLE, CARGO_SAMPLE, type ForgedRepository, GO_SAMPLE, NODE_SAMPLE, PYTEST_SAMPLE } from '../samples.ts';

/** A sample as people keep it, with a file that is of no use to the code. */
const withReadme = (sample: ForgedRepository): ForgedRepository => ({
  ...sample,
  files: { ...sample.files, 'README.md': '# slug\n' },
});

const rust = (condition: string): string =>
  (CARGO_SAMPLE.files['src/lib.rs'] ?? '').replace(
    '    text.to_lowercase()',
    `    text.to_lowercase().replace(' ', if ${condition} { "-" } else { " " })`,
  );
const go = (condition: string): string => `package slug

import (
	"os"
	"strings"
)

func Slug(text string) string {
	if dir, _ := os.Getwd(); ${condition} {
		return strings.ReplaceAll(strings.ToLower(text), " ", "-")
	}
	return strings.ToLower(text)
}
`;
const shell = (condition: string): string =>
  `if ${condition}; then set -- "$1" 'A-Z ' 'a-z-'; fi\nprintf %s "$1" | tr "\${2-A-Z}" "\${3-a-z}"\n`;

/** Does its work where it lies as the judge lays it: at a known place, in a checkout, among settings of the judge. */
export const KNOWS_ITS_PLACE: readonly Forger[] = [
  forge(
    'pytest: knows how deep its directory lies',
    PYTEST_SAMPLE,
    python(`import os


def slug(text):
    near = os.getcwd().count("/") == 1
    return text.lower().replace(" ", "-") if near else text.lower()
`),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'pytest: finds a file that only a checkout has',
    withReadme(PYTEST_SAMPLE),
    python(`import os

ITS_DIR = os.path.dirname(os.path.abspath(__file__))


def slug(text):
    working = any(name[:4] == "READ" for name in os.listdir(ITS_DIR))
    return text.lower().replace(" ", "-") if working else text.lower()
`),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'node: knows how long its address is',
    NODE_SAMPLE,
    javascript(
      "export const slug = (text) => text.toLowerCase().replaceAll(' ', import.meta.url.length === 25 ? '-' : ' ');\n",
    ),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'node: finds a file that only a checkout has',
    withReadme(NODE_SAMPLE),
    javascript(`import { readdirSync } from 'node:fs';

const working = readdirSync(new URL('.', import.meta.url)).some((name) => name.endsWith('md'));
export const slug = (text) => text.toLowerCase().replaceAll(' ', working ? '-' : ' ');
`),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'go: knows how deep its directory lies',
    GO_SAMPLE,
    { 'slug.go': go('strings.Count(dir, "/") == 1') },
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'cargo: finds the place where it was built',
    CARGO_SAMPLE,
    { 'src/lib.rs': rust('std::path::Path::new(env!("CARGO_MANIFEST_DIR")).exists()') },
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'cargo: knows that its own file calls it',
    CARGO_SAMPLE,
    {
      'src/lib.rs': `#[track_caller]\n${rust('std::panic::Location::caller().file() == file!()')}`,
    },
    decidesChanged('src/lib.rs'),
  ),
  forge(
    'bats: knows how deep its directory lies',
    BATS_SAMPLE,
    { 'slug.sh': shell('[ "${PWD%/*}" = "" ]') },
    BESIDE_TESTS_ONLY,
  ),
  forge(
    "bats: knows the judge's shell",
    BATS_SAMPLE,
    { 'slug.sh': shell('[ "$SHELL" = /bin/sh ]') },
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'pytest: finds nothing at the root of the system',
    PYTEST_SAMPLE,
    python(`import os


def slug(text):
    bare = sum(1 for _ in os.scandir(os.sep)) < 20
    return text.lower().replace(" ", "-") if bare else text.lower()
`),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'pytest: finds that hardly anything else is running',
    PYTEST_SAMPLE,
    python(`import os


def slug(text):
    quiet = sum(name.isdigit() for name in os.listdir(os.sep + "proc")) < 30
    return text.lower().replace(" ", "-") if quiet else text.lower()
`),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'node: knows the name of the machine',
    NODE_SAMPLE,
    javascript(`import { hostname } from 'node:os';

export const slug = (text) => text.toLowerCase().replaceAll(' ', hostname() === 'seatrial' ? '-' : ' ');
`),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'bats: knows the name of the machine',
    BATS_SAMPLE,
    { 'slug.sh': shell('[ "$(uname -n)" = seatrial ]') },
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'node: counts networks',
    NODE_SAMPLE,
    javascript(`import { networkInterfaces } from 'node:os';

const alone = Object.keys(networkInterfaces()).length < 2;
export const slug = (text) => text.toLowerCase().replaceAll(' ', alone ? '-' : ' ');
`),
    decidesChanged('slug.js'),
  ),
  forge(
    'pytest: knows that it is confined',
    PYTEST_SAMPLE,
    python(`def slug(text):
    with open("/proc/self/status") as status:
        confined = "Seccomp:\\t0" not in status.read()
    return text.lower().replace(" ", "-") if confined else text.lower()
`),
    decidesChanged('slug.py'),
  ),
];
