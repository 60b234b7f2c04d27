import { expect, it } from 'vitest';
import type { LaunchContext } from '../definition.ts';
import { acpDefinition } from './index.ts';
import { type AcpProfile, acpProfile } from './profile.ts';
import { ACP_PROFILES } from './profiles.ts';

const context = (asks: boolean) =>
  ({
    contract: { instruction: 'Fix it.' },
    at: (path: string) => path,
    attempt: 'a',
    startedAt: '2026-01-01T00:00:00.000Z',
    program: '/engine/mine',
    asks,
    model: {
      origin: 'http://127.0.0.1:4010',
      key: 'throw-away',
      standIn: null,
      wire: 'openai-chat',
      provider: 'local',
      name: 'big "model"',
      helpers: ['small'],
      maxOutputTokens: null,
    },
  }) as unknown as LaunchContext;

function launched(profile: AcpProfile, asks = false) {
  const launch = acpDefinition('mine', profile).headless.configure({}).launch(context(asks));
  if ('refused' in launch) throw new Error(launch.refused.text);
  return launch;
}

it('fills in what stands in braces, in files by the rules of JSON', () => {
  const { argv, env, files } = launched({
    program: 'mine',
    args: ['--acp', '--model', '{model}'],
    wires: ['openai-chat'],
    env: { BASE: '{base_url}', KEY: '{key}', HOME_DIR: '{home}', KEPT: '{env:OTHER}' },
    files: { 'a.json': { models: { '{model}': { small: '{helper}' } }, ask: '{permission}' }, 'b.txt': 'at {origin}' },
  });
  expect(argv).toEqual(['/engine/mine', '--acp', '--model', 'big "model"']);
  expect(env).toMatchObject({
    BASE: 'http://127.0.0.1:4010/v1',
    KEY: 'throw-away',
    HOME_DIR: '/artifacts/acp-mine',
    KEPT: '{env:OTHER}',
  });
  expect(JSON.parse(files['acp-mine/a.json'] ?? '')).toEqual({
    models: { 'big "model"': { small: 'small' } },
    ask: 'allow',
  });
  expect(files['acp-mine/b.txt']).toBe('at http://127.0.0.1:4010');
  expect(JSON.stringify(argv)).not.toContain('throw-away');
});

it.each([
  [{ program: 'x', wires: [] }, /at least one protocol/],
  [{ program: 'x', wires: ['openai-chat'], args: ['{key}'] }, /the key belongs into env or files/],
  [{ program: 'x', wires: ['openai-chat'], env: { A: '{modell}' } }, /the placeholders are/],
  [{ program: 'x', wires: ['openai-chat'], files: { '../a': '' } }, /must be a path below/],
  [{ program: 'x', wires: ['openai-chat'], colour: 'red' }, /colour/],
  [{ wires: ['openai-chat'] }, /program/],
])('%j is refused', (profile, fault) => {
  expect(JSON.stringify(acpProfile.safeParse(profile).error?.issues)).toMatch(fault);
});

it.each(Object.entries(ACP_PROFILES))(
  'the profile %s is valid, and keeps the key out of its arguments',
  (_name, profile) => {
    expect(acpProfile.safeParse(profile).error).toBeUndefined();
    expect(launched(profile).argv.join(' ')).not.toContain('throw-away');
  },
);
