import { expect, test } from 'vitest';
import { fillSlots } from './template.ts';

const SLOTS = { phase_id: 'one', role: 'Text with {braces} and {phase_id}.\n' };

test.each([
  ['phase {phase_id}: {role}', 'phase one: Text with {braces} and {phase_id}.\n'],
  ['{{phase_id}} and {{anything at all}}', '{phase_id} and {anything at all}'],
  // Only lower case is a slot: JSON, shell and code stay as they are.
  ['{"a": 1} ${HOME} {Name} { x } {}', '{"a": 1} ${HOME} {Name} { x } {}'],
])('%s', (template, text) => {
  expect(fillSlots(template, SLOTS, 'k.md')).toBe(text);
});

test('every unknown slot is named, with the file and the known ones', () => {
  expect(() => fillSlots('{phase_id} {plam} {rolle} {plam}', SLOTS, 'prompts/k.md')).toThrow(
    'prompts/k.md: unknown slot {plam}, {rolle}; the slots are {phase_id}, {role}, and {{x}} gives {x}',
  );
});
