import { statSync } from 'node:fs';
import { isWithin } from '../../../kernel/path-text.ts';
import { reason } from '../../../evidence/reasons/catalogue.ts';
import { digestFile, readFileTree } from '../../../evidence/storage/file-tree.ts';
import { canonicalJson } from '../../../kernel/canonical.ts';
import { sha256 } from '../../../kernel/digest.ts';
import { isAudited } from '../../request.ts';
import type { RunSandbox, Run } from '../../steps/state.ts';

/** To be called when the engine is gone. */
export type ReleaseRoots = () => void;

/**
 * Keeps the engine from the protected roots. Confined, none of them may be mounted writable. Without confinement nothing holds it
 * back, so what they hold is compared before and after, as in an audit, which takes nobody's word.
 */
export function guardProtectedRoots(run: Run, sandbox: RunSandbox): ReleaseRoots {
  const roots = run.request.environment.protectedRoots;
  if (sandbox.confinement.kind === 'bubblewrap') {
    const writable = sandbox.mounts.filter((mount) => mount.mode === 'rw').map((mount) => mount.source);
    const exposed = roots.find((root) => writable.some((path) => isWithin(path, root) || isWithin(root, path)));
    if (exposed !== undefined) run.block(reason('protected_root_writable', { path: exposed }));
    if (!isAudited(run.request)) {
      run.log.append('protected_roots.checked', 'harness', { passed: true });
      return () => {};
    }
  }
  const before = new Map(roots.map((root) => [root, fingerprint(root)]));
  return () => {
    const changed = roots.filter((root) => before.get(root) !== fingerprint(root));
    for (const root of changed) run.fail(reason('protected_root_changed', { path: root }));
    run.log.append('protected_roots.checked', 'harness', { passed: changed.length === 0 });
  };
}

/** Digest of every name and content below; what cannot be read counts as it shows itself. */
function fingerprint(root: string): string {
  if (statSync(root, { throwIfNoEntry: false })?.isFile() === true) return digestFile(root).sha256;
  const { files, faults } = readFileTree(root);
  return sha256(
    canonicalJson([files.map((file) => [file.path, file.sha256]), faults.map((fault) => [fault.path, fault.text])]),
  );
}
