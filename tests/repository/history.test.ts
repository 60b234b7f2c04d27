import { afterAll, beforeAll, expect, test } from 'vitest';
import { AgentPlace, MEND } from '../support/agent-place.ts';
import { writeBelow } from '../support/seatrial.ts';

/** Everything a curious agent can find out about the past. */
const LOOK = `{ git log --format='%H %s'; echo "remotes: $(git remote | wc -l)"; echo "branches: $(git for-each-ref --format='%(refname)')"; git cat-file --batch-all-objects --batch-check='%(objecttype) %(objectname)' --unordered | sort; git status --short; } > /tmp/seen 2>&1; sed 's/^/seen: /' /tmp/seen`;

let place: AgentPlace;
beforeAll(async () => {
  place = new AgentPlace();
  writeBelow(place.cwd, { 'seatrial.toml': '[engines.pi]\ninstructions = "Be brief."\n' });
  await place.install(`${LOOK}\nprintf 'told: %s\\n' "$prompt"\n${MEND}`);
  place.commit({ 'old.txt': 'first words\n' }, 'The first');
  place.commit({ 'old.txt': 'second words\n' }, 'The second');
  place.commit({ 'old.txt': 'third words\n' }, 'The third');
  place.git('checkout', '--quiet', '-b', 'other');
  place.commit({ 'other.txt': 'of another branch\n' }, 'Of another branch');
  place.git('checkout', '--quiet', 'main');
  place.git('remote', 'add', 'origin', 'https://example.org/adder.git');
});
afterAll(() => place.close());

const objectOf = (name: string): string => place.git('rev-parse', name);

test('with --history it sees the real commits before the base, nothing later, beside or elsewhere, and its own instructions', async () => {
  const { code, kept, report } = await place.ask('--history', '2', '--commit', 'main');
  expect(code, report.blockers.join()).toBe(0);
  const seen = kept('backend/stdout.log');
  expect(seen).toContain(`seen: ${objectOf('main')} The third\nseen: ${objectOf('main~1')} The second\n`);
  expect(seen).not.toContain('The first');
  expect(seen).toContain('remotes: 0');
  expect(seen).toContain('branches: refs/heads/main\n');
  for (const hidden of ['other', 'other:other.txt', 'main~2', 'main~2:old.txt'])
    expect(seen).not.toContain(objectOf(hidden));
  expect(seen).toContain(objectOf('main~1:old.txt'));
  expect(seen).not.toMatch(/seen: (?: M|\?\?|M )/);
  expect(JSON.parse(kept('inputs/contract.json')).repository.history).toBe(2);
  expect(kept('report.html')).toContain('The engine saw the last 2 commits of the history');
  // What seatrial.toml tells this engine in every run follows the instruction.
  expect(seen).toContain('told: Make total right.\n\nBe brief.\n');
  expect(JSON.parse(kept('inputs/contract.json')).engine_instructions).toBe('Be brief.');
  expect(kept('report.html')).toContain('Be brief.');
});
