import { describe, expect, test } from 'vitest';
import { mentionsNetworks, mentionsTimeOrPlace } from './test-topics.ts';

describe('what a test has to do with', () => {
  test.each([
    'expect(parseDate("x"))',
    'def test_time_zone():',
    'assert age("1990-05-01") == 36',
    "t.is(clock(90), '1:30')",
    'formatCurrency(3)',
    "expect(price(3)).toBe('$3.00')",
    'toMatchSnapshot()',
    'MAX_DATE',
    'func TestDaysAgo',
  ])('places: %s', (text) => expect(mentionsTimeOrPlace(text)).toBe(true));

  test.each(['assert slug("Hello World") == "hello-world"', 'update(x)', 'sometimes', 'setTimeout(done)', 'timed out'])(
    'not places: %s',
    (text) => expect(mentionsTimeOrPlace(text)).toBe(false),
  );

  test.each(['fetchJson(x)', 'assert get("http://x") is None', 'isOnline()', 'HTTP_ERRORS', 'open_socket'])(
    'networks: %s',
    (text) => expect(mentionsNetworks(text)).toBe(true),
  );

  test.each(['assert slug("Hello World") == "hello-world"', 'report(x)', 'import { words } from "./words.js"'])(
    'not networks: %s',
    (text) => expect(mentionsNetworks(text)).toBe(false),
  );
});
