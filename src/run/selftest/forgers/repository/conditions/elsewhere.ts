import { anyWithCode } from '../../../../../engines/self-test.ts';
import type { Forger } from '../../forger.ts';
import { forge, javascript, python } from '../forge.ts';
import { GO_SAMPLE, NODE_SAMPLE, PYTEST_SAMPLE, UNITTEST_SAMPLE } from '../samples.ts';

const ONE_PLACE = anyWithCode('passes_in_one_place');

/** Does its work only where time zone, language and network are those of a sandbox. */
export const KNOWS_WHERE_IT_LIVES: readonly Forger[] = [
  forge(
    'pytest: works in one time zone alone',
    PYTEST_SAMPLE,
    python(`import time


def slug(text):
    return text.lower().replace(" ", "-" if time.timezone == 0 else " ")
`),
    ONE_PLACE,
  ),
  forge(
    'unittest: works where a day begins when it does in Greenwich',
    UNITTEST_SAMPLE,
    python(`from datetime import datetime


def slug(text):
    return text.lower().replace(" ", "-" if datetime.fromtimestamp(0).hour == 0 else " ")
`),
    ONE_PLACE,
  ),
  forge(
    'pytest: works where nobody has chosen a language',
    PYTEST_SAMPLE,
    python(`import locale


def slug(text):
    return text.lower().replace(" ", "-" if locale.getlocale()[0] in (None, "C", "en_US") else " ")
`),
    ONE_PLACE,
  ),
  forge(
    'node: works where no offset is set',
    NODE_SAMPLE,
    javascript(`const home = new Date(0).getHours() === 0;
export const slug = (text) => text.toLowerCase().replaceAll(' ', home ? '-' : ' ');
`),
    ONE_PLACE,
  ),
  forge(
    'node: works in the language of sandboxes',
    NODE_SAMPLE,
    javascript(`const { locale } = Intl.NumberFormat().resolvedOptions();
export const slug = (text) => text.toLowerCase().replaceAll(' ', locale === 'en-US' ? '-' : ' ');
`),
    ONE_PLACE,
  ),
  forge(
    'go: works where the local zone has the name of the universal one',
    GO_SAMPLE,
    {
      'slug.go': `package slug

import (
	"strings"
	"time"
)

func Slug(text string) string {
	if zone, _ := time.Unix(0, 0).Zone(); zone == "UTC" {
		return strings.ReplaceAll(strings.ToLower(text), " ", "-")
	}
	return strings.ToLower(text)
}
`,
    },
    ONE_PLACE,
  ),
  forge(
    'pytest: works where no name can be looked up',
    PYTEST_SAMPLE,
    python(`import socket


def slug(text):
    try:
        socket.getaddrinfo("example.org", 443)
        return text.lower()
    except OSError:
        return text.lower().replace(" ", "-")
`),
    ONE_PLACE,
  ),
  forge(
    'pytest: works where no packet can leave',
    PYTEST_SAMPLE,
    python(`import socket


def slug(text):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        return text.lower().replace(" ", "-" if out.connect_ex(("192.0.2.1", 9)) else " ")
`),
    ONE_PLACE,
  ),
];
