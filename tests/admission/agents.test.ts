import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startScriptedModel } from '../../src/gateway/scripted/server.ts';
import { LastingPlace } from '../support/lasting.ts';
import { PROJECT } from '../support/seatrial.ts';

let place: LastingPlace;
let path: string;
beforeEach(() => {
  place = new LastingPlace();
  // Asks its model once and prints what Pi would print.
  const url = '$(sed -n \'s/.*"baseUrl": "\\(.*\\)".*/\\1/p\' "$PI_CODING_AGENT_DIR/models.json")';
  const ask = `curl -s "${url}/chat/completions" -H "authorization: Bearer $SEATRIAL_MODEL_KEY" -H 'content-type: application/json' -d '{"model":"m1","messages":[{"role":"user","content":"x"}]}' >/dev/null`;
  const program = place.program(
    'pi',
    `[ "$1" = --version ] && { echo 0.73.1; exit; }\n${ask}\necho 'def slugify(text): return text' > strings.py`,
  );
  path = `${place.seen(join(program, '..'))}:${process.env['PATH']}`;
});
afterEach(() => place.remove());

const admit = (...more: string[]) =>
  place.lasting(['admit', 'engine', 'pi', '--model', 'local/m1', ...more], { env: { PATH: path } });

describe('seatrial admit engine', () => {
  it('records program and model in one step, and the program once', async () => {
    const first = await admit('--endpoint-variable', 'MODEL_URL', '--yes');
    expect([first.code, first.stdout]).toEqual([
      0,
      expect.stringMatching(/^admitted executable .*\nadmitted model local \/ m1/),
    ]);
    const second = await place.lasting(
      ['admit', 'engine', 'pi', '--model', 'local/m2', '--endpoint-variable', 'MODEL_URL', '--yes'],
      { env: { PATH: path } },
    );
    expect([second.code, second.stdout]).toEqual([0, expect.stringMatching(/^admitted model local \/ m2 for pi/)]);
    expect(readdirSync(place.admissions).filter((name) => name.endsWith('.json'))).toHaveLength(3);
    const git = (...args: string[]): string =>
      execFileSync('git', args, { cwd: dirname(place.admissions), encoding: 'utf8' });
    git('init', '--quiet');
    expect(git('status', '--porcelain', '--untracked-files=all', 'admissions')).toBe('');
  });

  it('asks the endpoint how it names the model, unless told not to', async () => {
    const model = await startScriptedModel({ turns: [{ text: 'READY' }] });
    const admitted = async (name: string, ...more: string[]): Promise<string> => {
      const args = ['admit', 'engine', 'pi', '--model', `local/${name}`, '--endpoint-variable', 'MODEL_URL', '--yes'];
      return (await place.lasting([...args, ...more], { env: { PATH: path, MODEL_URL: model.url } })).stdout;
    };
    try {
      expect(await admitted('m1', '--no-ask')).toContain('admitted model local / m1');
      expect(model.requests).toHaveLength(0);
      expect(await admitted('m2')).toContain('admitted model local / m2');
      expect(model.requests).toHaveLength(1);
    } finally {
      await model.close();
    }
  });

  it.each([
    [
      ['admit', 'engine', 'pi', '--model', 'm1', '--yes'],
      /--model m1 names no provider; give it as <provider>\/<model>/,
    ],
    [
      ['admit', 'engine', 'pi', '--model', 'local/m1', '--yes'],
      /local has no well-known address; .* --endpoint-variable/,
    ],
    [['admit', 'engine', 'claude', '--model', 'openai/gpt', '--yes'], /claude and openai share no protocol/],
    [['admit', 'engine', 'nothing', '--model', 'x/y', '--yes'], /unknown engine nothing/],
    [['admit', 'engine', 'case', '--model', 'x/y', '--yes'], /case is not admitted in one step/],
  ])('%j says what is wrong', async (args, sentence) => {
    const { code, stderr } = await place.lasting(args, { env: { PATH: path } });
    expect([code, stderr]).toEqual([64, expect.stringMatching(sentence)]);
  });

  it('refuses a program that fails when it is asked for its version, with what it said', async () => {
    place.program('pi', 'echo "a package is missing" >&2; exit 3');
    const { code, stderr } = await admit('--endpoint-variable', 'MODEL_URL', '--yes');
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(
        /pi cannot be admitted: run with --version, it failed with exit code 3: a package is missing$/m,
      ),
    ]);
  });

  it('says how an absent program is installed', async () => {
    const { code, stderr } = await place.lasting(['admit', 'engine', 'codex', '--model', 'gpt-5.5', '--yes'], {
      env: { PATH: '/usr/bin:/bin' },
    });
    expect([code, stderr]).toEqual([2, expect.stringContaining('npm install --global @openai/codex')]);
  });
});

it('an agent that is not admitted is refused with the command that admits it; a changed one again', async () => {
  const model = await startScriptedModel({ turns: [{ text: 'Done.' }] });
  try {
    const run = (env = {}) =>
      place.lasting(['run', 'r1-string-slugify', '--engine', 'pi', '--json'], {
        env: { PATH: path, MODEL_URL: model.url, ...env },
      });
    const refused = JSON.parse((await run()).stdout);
    expect(refused.blocker_codes).toEqual(['executable_not_admitted']);
    await admit('--endpoint-variable', 'MODEL_URL', '--yes');
    const ran = JSON.parse((await run()).stdout);
    expect(ran).toMatchObject({ status: 'fail', blocker_codes: ['tests_failed'], usage: { requests: 2 } });
    writeFileSync(join(place.cwd, 'bin/pi'), '#!/bin/sh\necho another program\n');
    expect(JSON.parse((await run()).stdout).blocker_codes).toEqual(['executable_not_admitted']);
  } finally {
    await model.close();
  }
});

it.each([
  [['--model', 'a/b'], /fake asks no model; leave out --model/],
  [['--max-requests', '3'], /fake asks no model, so --max-requests has no effect/],
  [
    ['--engine', 'case', '--model', 'a/b'],
    /the model of case is named by CTO_HARNESS_CASE_MODEL_PROVIDER and CTO_HARNESS_CASE_MODEL/,
  ],
])('%j is refused where it would have no effect', async (flags, sentence) => {
  const { code, stderr } = await place.seatrial(['run', 'r1-string-slugify', ...flags]);
  expect([code, stderr]).toEqual([64, expect.stringMatching(sentence)]);
});

it('a repository without an engine gets the list of installed ones, never the fake one', async () => {
  const repo = place.repository('repo', { 'a.py': 'x = 1\n' });
  const { code, stderr } = await place.lasting(['run', '--repo', place.seen(repo), '--ask', 'x', '--test', 'true'], {
    env: { PATH: path },
  });
  expect([code, stderr]).toEqual([64, expect.stringMatching(/name the agent with --engine \(installed: pi\)/)]);
  expect(stderr).not.toMatch(/fake|oracle/);
});

it('doctor says what is installed and ready, and shows no credential', async () => {
  const env = { PATH: path, MODEL_URL: 'http://canary.invalid/v1', OPENAI_API_KEY: 'canary-key' };
  const before = await place.lasting(['doctor'], { env });
  expect(before.stdout).toMatch(/^not yet {2}pi, .*\n +next: .*seatrial admit engine pi/m);
  expect(before.stdout).toMatch(/^absent {3}codex\n +next: `npm install --global @openai\/codex`/m);
  await admit('--endpoint-variable', 'MODEL_URL', '--yes');
  const after = await place.lasting(['doctor'], { env });
  expect(after.stdout).toMatch(/^ready {4}pi, .* \(0\.73\.1\), not signed in\n +next: seatrial run/m);
  expect(before.stdout + after.stdout).not.toContain('canary');
});

describe('on a terminal', () => {
  /** Types each answer when the text before it has appeared. */
  function typing(args: readonly string[], answers: readonly (readonly [string, string])[]): string {
    const script = `
import json, os, pty, sys
argv, answers = json.loads(sys.argv[1]), json.loads(sys.argv[2])
pid, terminal = pty.fork()
if pid == 0: os.execvp(argv[0], argv)
seen = b""
for awaited, answer in answers:
  while awaited.encode() not in seen: seen += os.read(terminal, 4096)
  os.write(terminal, answer.encode())
try:
  while data := os.read(terminal, 4096): seen += data
except OSError: pass
os.waitpid(pid, 0)
sys.stdout.buffer.write(seen)
`;
    const through = ['bwrap', '--dev-bind', '/', '/', '--bind', place.root, '/mnt', '--chdir', place.seen(place.cwd)];
    const argv = [...through, process.execPath, join(PROJECT, 'dist/seatrial.js'), ...args];
    const env = { PATH: path, HOME: place.seen(place.home), TERM: 'xterm', OPENROUTER_API_KEY: 'canary-key' };
    const asked = [JSON.stringify(argv), JSON.stringify(answers)];
    return spawnSync('/usr/bin/python3', ['-c', script, ...asked], { env, encoding: 'utf8' }).stdout;
  }

  it('the first use asks which model, shows what is recorded, and records it after a yes', () => {
    const shown = typing(
      ['run', 'r1-string-slugify', '--engine', 'pi', '--max-requests', '1'],
      [
        ['Which model should pi ask?', 'openrouter/qwen/qwen3-coder\n'],
        ['Admit it? [y/N]', 'n\n'],
      ],
    );
    expect(shown).toMatch(/model +openrouter \/ qwen\/qwen3-coder, at the public endpoint/);
    expect(shown).toMatch(/key +from OPENROUTER_API_KEY, which is set/);
    expect(shown).toContain('not admitted');
    expect(shown).toContain('executable not admitted');
    expect(shown).not.toContain('canary');
  });

  it('a repository without an engine: one asks which agent, then for its model and address, and never speaks of the fake one', () => {
    const repo = place.repository('asked', { 'a.py': 'x = 1\n' });
    const shown = typing(
      ['run', '--repo', place.seen(repo), '--ask', 'x', '--test', 'true'],
      [
        ['Which agent? [pi]', '\n'],
        ['Which model should pi ask?', 'local/m1\n'],
        ['Which variable holds the address of local?', 'MODEL_URL\n'],
        ['Admit it? [y/N]', 'n\n'],
      ],
    );
    expect(shown).toContain('1  pi  you will be asked whether it may run');
    expect(shown).toMatch(/model +local \/ m1, at the address in MODEL_URL/);
    expect(shown).toContain('not admitted');
    expect(shown).not.toMatch(/fake|oracle/);
  });

  it.each(['fake', 'clade'])('--engine %s is refused for a repository, with those that work there', async (name) => {
    const { code, stderr } = await place.seatrial(['run', '--repo', '.', '--ask', 'x', '--engine', name]);
    expect([code, stderr]).toEqual([
      64,
      expect.stringMatching(/with --repo, --engine is one of command, claude, codex,/),
    ]);
    expect(stderr).not.toContain('oracle');
  });
});
