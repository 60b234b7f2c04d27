import { describe, expect, test } from 'vitest';
import { pairsOf, parseDockerfile, substitute, wordsOf } from './dockerfile.ts';

const named = (source: string) => parseDockerfile(source).map(({ name, text }) => `${name} ${text}`);

describe('a Dockerfile is read instruction by instruction', () => {
  test('comments and blank lines are passed over, also between continued lines', () => {
    const source =
      '# syntax=docker/dockerfile:1\nFROM debian\n\nRUN apt-get update && \\\n  # why\n\n  apt-get install -y git\n';
    expect(named(source)).toEqual(['FROM debian', 'RUN apt-get update &&    apt-get install -y git']);
  });

  test('names of instructions may be written small, and lines may end as on Windows', () => {
    expect(named('from debian\r\nworkdir /app\r\n')).toEqual(['FROM debian', 'WORKDIR /app']);
  });

  test('another escape character can be chosen', () => {
    expect(named('# escape=`\nFROM debian\nRUN echo a `\n  b\n')).toEqual(['FROM debian', 'RUN echo a    b']);
  });

  test('here-documents belong to their instruction', () => {
    const [copy, workdir] = parseDockerfile("COPY <<'EOF' /app/notes.txt\nFROM nothing\nEOF\nWORKDIR /app\n");
    expect(copy).toMatchObject({ name: 'COPY', heredocs: ['FROM nothing\n'] });
    expect(workdir).toMatchObject({ name: 'WORKDIR', line: 4 });
  });
});

test('words lose their quotes, and the JSON form is read as JSON', () => {
  expect(wordsOf(`a "b c" 'd e' f\\ g`)).toEqual(['a', 'b c', 'd e', 'f g']);
  expect(wordsOf('["my file.txt", "/app/"]')).toEqual(['my file.txt', '/app/']);
});

test('variables are replaced as Docker does', () => {
  const known = new Map([
    ['V', '3.13'],
    ['EMPTY', ''],
  ]);
  expect(substitute('python:$V-${V}-${NONE:-x}-${EMPTY:-y}-${V:+z}-\\$V-$NONE', known)).toBe(
    'python:3.13-3.13-x-y-z-$V-',
  );
});

test('ENV has two forms', () => {
  expect(pairsOf('A=1 B="two words"')).toEqual([
    ['A', '1'],
    ['B', 'two words'],
  ]);
  expect(pairsOf('A one two')).toEqual([['A', 'one two']]);
});
