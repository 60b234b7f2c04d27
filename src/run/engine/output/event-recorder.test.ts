import { expect, it } from 'vitest';
import { fakeEngine } from '../../../engines/fake/engine.ts';
import { Masker } from '../../../evidence/secrets/mask.ts';
import { SecretPatterns } from '../../../evidence/secrets/patterns.ts';

const value = 'secret "with" quotes';
const mask = new Masker(new SecretPatterns([{ name: 'A_KEY', value: Buffer.from(value) }]));

/** Every letter as an escape: no mask of the raw line can see through that, the reading does. */
const escaped = Array.from(value, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

it.each(['plan.updated', 'engine.message', 'engine.tool', 'engine.claim'])(
  'a secret that an engine hides behind escapes does not get into %s',
  (event) => {
    const line = `{"event":"${event}","text":"it is ${escaped}"}`;
    expect(mask.text(line)).toBe(line);
    const said = mask.events(fakeEngine().read(line));
    expect(JSON.stringify(said)).toContain('it is [masked: A_KEY]');
    expect(JSON.stringify(said)).not.toContain('with');
  },
);
