import { expect, it } from 'vitest';
import {
  configuredHooks,
  fileSettings,
  filtersWithProgram,
  isOn,
  lastValue,
  parseSettings,
} from './repository-settings.ts';

const listing = [
  'core.autocrlf\ninput',
  'core.filemode',
  'core.hookspath\n.githooks',
  'core.autocrlf\nfalse',
  'filter.a.b.smudge\ncat',
  'filter.empty.smudge\n',
  'filter.Own.process\nrun\nme',
  'filter.clean.clean\ncat',
  'hook.one=two.three.command\nsh',
  'hook.one=two.three.event\npost-merge',
  'hook.x\ny',
].join('\0');

it('settings are parsed with any characters in names and values', () => {
  const settings = parseSettings(`${listing}\0`);
  expect(lastValue(settings, 'core.autocrlf')).toBe('false');
  expect(lastValue(settings, 'core.filemode')).toBeNull();
  expect(lastValue(settings, 'core.eol')).toBeUndefined();
  expect(lastValue(settings, 'filter.Own.process')).toBe('run\nme');
  expect(parseSettings('')).toEqual([]);
});

it('our own git directory copies the file settings, and none that names a program', () => {
  expect(fileSettings(parseSettings(listing))).toEqual([
    'core.autocrlf=input',
    'core.filemode=true',
    'core.autocrlf=false',
  ]);
});

it('filters and hooks with a program are listed by name', () => {
  expect([...filtersWithProgram(parseSettings(listing))]).toEqual(['a.b', 'Own']);
  expect(configuredHooks(parseSettings(listing))).toEqual(['one=two.three']);
});

it.each([
  [null, true],
  [undefined, false],
  ['', false],
  ['true', true],
  ['YES', true],
  ['on', true],
  ['1', true],
  ['0', false],
  ['off', false],
])('%j means %s', (value, on) => expect(isOn(value)).toBe(on));
