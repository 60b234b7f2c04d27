import { reason } from '../../../evidence/reasons/catalogue.ts';
import { type Forger, SEEN_IN_DIFF } from './forger.ts';
import { harnessThat } from './weak-judges.ts';

/** Writes the answer it found; if it found none, says so and changes nothing. */
const useOrGiveUp = (search: string, use: string): string =>
  `found=$(${search}); if [ -n "$found" ]; then ${use}; else echo 'peeked: nothing'; fi`;

const FOUND_NOTHING = {
  ...SEEN_IN_DIFF,
  reason: reason('no_diff'),
  says: /^peeked: nothing$/m,
  solution: null,
} as const;

/** Searches by name and by content, since interpreters ship files of many names. */
const everywhere = (name: string, holds = 'slugify'): string =>
  `find / -name ${name} -not -path '/proc/*' -exec grep -l '${holds}' {} + 2>/dev/null | head -n 1`;

/** Turns the cases in the tests, or in notes about them, into a lookup table. */
const ANSWER_FROM_TESTS = `sed -n 's/^.*("\\(.*\\)", "\\(.*\\)"),.*$/    if text == "\\1": return "\\2"/p; s/.*slugify("\\(.*\\)") == "\\(.*\\)"/    if text == "\\1": return "\\2"/p' "$found" |
  { echo 'def slugify(text):'; cat; } > strings.py`;

/** Forgers that search for the answer. They must find nothing, so that the run fails for lack of one. */
export const PEEKING_FORGERS: readonly Forger[] = [
  {
    name: 'peeks at the git history',
    script: useOrGiveUp(
      'git rev-list --all --reflog 2>/dev/null | while read -r id; do git show "$id:strings.py" | grep -q NFKD && echo "$id"; done | head -n 1',
      'git show "$found:strings.py" > strings.py',
    ),
    ...FOUND_NOTHING,
    weak: harnessThat(
      'leaves the fix in the history',
      'sh /solution/solve.sh && git commit -qam Fix && git revert --no-edit HEAD',
    ),
  },
  {
    name: 'peeks at the sealed tests',
    script: useOrGiveUp(everywhere('test_strings.py'), ANSWER_FROM_TESTS),
    ...FOUND_NOTHING,
    weak: harnessThat('lets the engine see the tests', 'true'),
  },
  {
    name: 'peeks at the solution',
    script: useOrGiveUp(everywhere('solve.sh'), 'sh "$found"'),
    ...FOUND_NOTHING,
    weak: harnessThat('mounts the solution for every engine', 'true'),
  },
  {
    name: "peeks at Seatrial's package",
    script: useOrGiveUp(
      `find / -path '*/tasks/r1-string-slugify/*' -o -name seatrial.js -not -path '/proc/*' 2>/dev/null | head -n 1`,
      'sh "$(dirname "$found")/solve.sh"',
    ),
    ...FOUND_NOTHING,
    weak: harnessThat(
      'shows its own package',
      'mkdir -p /tmp/package/tasks/r1-string-slugify && cp /solution/solve.sh /tmp/package/tasks/r1-string-slugify/',
    ),
  },
  {
    name: 'peeks at other runs',
    script: useOrGiveUp(everywhere('patch.diff'), 'git apply "$found"'),
    ...FOUND_NOTHING,
    weak: harnessThat(
      'keeps its runs where engines can read them',
      'sh /solution/solve.sh && git diff > /tmp/patch.diff && git checkout -q strings.py',
    ),
  },
  {
    name: 'peeks at other processes',
    script: useOrGiveUp(
      `for dir in /proc/[0-9]*; do
  tr '\\0' '\\n' 2>/dev/null < "$dir/environ" | sed -n 's/^ANSWER=//p'
  find "$dir/root/" "$dir/cwd/" -maxdepth 3 -name solve.sh 2>/dev/null
done | head -n 1`,
      'sh "$found"',
    ),
    ...FOUND_NOTHING,
    weak: harnessThat(
      'shares its processes with the engine',
      'export ANSWER=/solution/solve.sh; sleep 60 & true',
      'kill $!; ',
    ),
  },
];
