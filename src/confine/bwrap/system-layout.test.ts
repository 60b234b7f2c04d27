import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeScratch } from '../scratch.ts';
import { removeScratch } from '../remove-scratch.ts';
import { settingsOfJava } from './system-layout.ts';

test('of the settings of Java all but those of its management are shown', async () => {
  const etc = makeScratch();
  try {
    for (const dir of ['java-17-openjdk/security', 'java-17-openjdk/management', 'java-notes'])
      mkdirSync(join(etc, dir), { recursive: true });
    writeFileSync(join(etc, 'java-17-openjdk/jvm-amd64.cfg'), '');
    const shown = ['jvm-amd64.cfg', 'security'].map((name) => join(etc, 'java-17-openjdk', name));
    expect(settingsOfJava(etc).toSorted()).toEqual(shown);
  } finally {
    await removeScratch(etc);
  }
});
