import { afterAll, expect, test } from 'vitest';
import { Place } from '../support/seatrial.ts';
import { followPage } from '../support/shell-page.ts';

const place = new Place();
afterAll(() => place.remove());

test('the page on the scripted model works as it is written', () => {
  const { stdout: output, stderr, status } = followPage(place, 'docs/scripted-model.md');
  const [chat = '', ...rest] = output.split('\n').filter((line) => line !== '');
  expect(status, stderr).toBe(0);
  expect(JSON.parse(chat).choices[0].message.tool_calls[0].function.name).toBe('bash');
  expect(output.match(/"(name|functionCall)": ?"?bash|"name":"bash"/g)?.length).toBeGreaterThanOrEqual(4);
  expect(output).toContain('scripted error');
  expect(output).toContain('Now it works.');
  expect(rest.slice(-6).map((line) => line.split('  ').at(-1))).toEqual([
    ...Array.from({ length: 4 }, () => 'turn 1 of 4'),
    'turn 3 of 4',
    'turn 4 of 4',
  ]);
});
