import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDiff } from './parse.ts';
import { SAMPLE_PATCH } from '../sample-report.fixture.ts';

describe('reading a patch', () => {
  it('numbers lines as they are in the old and the new file', () => {
    const [file] = parseDiff(SAMPLE_PATCH);
    expect(file).toMatchObject({ path: 'strings.py', added: 4, removed: 1, remarks: [], binary: false });
    const lines = file?.hunks[0]?.lines ?? [];
    expect(lines.find((line) => line.kind === 'remove')).toMatchObject({ old: 2, new: null });
    expect(lines.at(-1)).toEqual({ kind: 'same', old: 5, new: 8, text: 'def title(text):' });
  });

  it('takes content that looks like a header for content', () => {
    const patch =
      'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- a/etc/passwd\n-diff\n+++ b/evil\n+@@ -1 +1 @@\ndiff --git a/y b/y\n';
    const files = parseDiff(patch);
    expect(files.map((file) => file.path)).toEqual(['x', 'y']);
    expect(files[0]).toMatchObject({ added: 2, removed: 2 });
  });

  it('counts no line that lies beyond the hunk', () => {
    const [file] = parseDiff('diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n+not of this hunk\n-- \n');
    expect(file).toMatchObject({ added: 1, removed: 1 });
  });

  it('names new, deleted, renamed, binary and odd files', () => {
    const patch = [
      'diff --git a/new.sh b/new.sh',
      'new file mode 100755',
      '--- /dev/null',
      '+++ b/new.sh',
      '@@ -0,0 +1 @@',
      '+x',
      '\\ No newline at end of file',
      'diff --git a/gone b/gone',
      'deleted file mode 100644',
      '--- a/gone',
      '+++ /dev/null',
      '@@ -1 +0,0 @@',
      '-x',
      'diff --git a/old name b/new name',
      'similarity index 100%',
      'rename from old name',
      'rename to new name',
      'diff --git a/pic.png b/pic.png',
      'GIT binary patch',
      'literal 3',
      'Kcm',
      '',
      'diff --git "a/\\377" "b/\\377"',
      'old mode 100644',
      'new mode 100755',
      'diff --git "a/gr\\303\\274n" "b/gr\\303\\274n"',
      'Binary files differ',
    ].join('\n');
    const files = parseDiff(patch);
    expect(files.map((file) => file.path)).toEqual(['new.sh', 'gone', 'new name', 'pic.png', '"\\377"', 'grün']);
    expect(files.map((file) => file.remarks)).toEqual([
      ['new file mode 100755'],
      ['deleted file mode 100644'],
      ['rename from old name'],
      [],
      ['old mode 100644', 'new mode 100755'],
      [],
    ]);
    expect(files[3]?.binary).toBe(true);
  });

  it('ends on any text', () => {
    const line = fc.oneof(
      fc.constantFrom('diff --git a/x b/x', '@@ -1,3 +1,3 @@', '+a', '-b', ' c', '\\ No newline', ''),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        expect(parseDiff(lines.join('\n')).length).toBeLessThanOrEqual(lines.length);
      }),
    );
  });
});
