import { statSync } from 'node:fs';
import { isWithin } from '../../../kernel/path-text.ts';
import { reason } from '../../../evidence/reasons/catalogue.ts';
import { digestFile, readFileTree } from '../../../evidence/storage/file-tree.ts';
import { canonicalJson } from '../../../kernel/canonical.ts';
import { sha256 } from '../../../kernel/digest.ts';
import { isAudited } from '../../request.ts';
import type { RunSandbox, Run } from '../../steps/state.ts';
import { workTreeAround } from '../../../admission/source-tree.ts';

/** To be called when the engine is gone. */
export type ReleaseRoots = () => void;

/**
 * Keeps the engine from the protected roots. Confined, none of them may be mounted writable. Unconfined, nothing holds it back: what
 * they hold is compared before and after, as in an audit, and even if nothing changed it is not shown that nothing could.
 */
export function guardProtectedRoots(run: Run, sandbox: RunSandbox): ReleaseRoots {
  const { protectedRoots: configured } = run.request.environment;
  const { around, compared } = ownRoots(run);
  const roots = [...new Set([...configured, ...around])];
  const isConfined = sandbox.confinement.kind === 'bubblewrap';
  if (isConfined) refuseWritable(run, sandbox, configured, around);
  if (isConfined && !isAudited(run.request)) {
    run.log.append('protected_roots.checked', 'harness', { passed: true, roots });
    return () => {};
  }
  const watched = [...new Set([...configured, ...compared])];
  const before = new Map(watched.map((root) => [root, fingerprint(root)]));
  return () => {
    const changed = watched.filter((root) => before.get(root) !== fingerprint(root));
    for (const root of changed) run.fail(reason('protected_root_changed', { path: root }));
    const passed = changed.length > 0 ? false : isConfined ? true : null;
    run.log.append('protected_roots.checked', 'harness', { passed, roots });
  };
}

/** What is protected without being configured: Seatrial, the runs, the engine's program and the work tree it was built in. */
function ownRoots(run: Run): { readonly around: readonly string[]; readonly compared: readonly string[] } {
  const { harnessRoots, runsDir } = run.request.environment;
  const program = run.executable;
  const tree = program === null ? null : workTreeAround(program);
  const programs = program === null ? [] : [program];
  return {
    around: [...harnessRoots.around, runsDir, ...programs, ...(tree === null ? [] : [tree])],
    // The runs change while this one goes on, and a work tree may be large.
    compared: [...harnessRoots.compared, ...programs],
  };
}

function refuseWritable(run: Run, sandbox: RunSandbox, configured: readonly string[], own: readonly string[]): void {
  const writable = sandbox.mounts.filter((mount) => mount.mode === 'rw').map((mount) => mount.source);
  const exposes = (root: string, sources: readonly string[]): boolean =>
    sources.some((path) => isWithin(path, root) || isWithin(root, path));
  // The run's own scratch may lie in one of them, in a temporary directory of the user's choice.
  const foreign = writable.filter((path) => !isWithin(path, run.scratch));
  const exposed = configured.find((root) => exposes(root, writable)) ?? own.find((root) => exposes(root, foreign));
  if (exposed !== undefined) run.block(reason('protected_root_writable', { path: exposed }));
}

/** Digest of every name and content below; what cannot be read counts as it shows itself. */
function fingerprint(root: string): string {
  if (statSync(root, { throwIfNoEntry: false })?.isFile() === true) return digestFile(root).sha256;
  const { files, faults } = readFileTree(root);
  return sha256(
    canonicalJson([files.map((file) => [file.path, file.sha256]), faults.map((fault) => [fault.path, fault.text])]),
  );
}
