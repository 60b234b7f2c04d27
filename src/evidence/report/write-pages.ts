import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { writeArtifact } from '../bundle/create.ts';
import { artifactPath, type Bundle } from '../bundle/bundle.ts';
import { CONTRACT_FILE } from '../log/required-events.ts';
import { readAsked, readContractFacts } from './contract-facts.ts';
import { renderHtml } from './render/html.ts';
import { renderMarkdown } from './render/markdown.ts';
import type { ReasonCatalogue } from '../reasons/reason.ts';
import type { RunEvent } from '../schema/events.ts';
import type { Report } from '../schema/report.ts';
import { readSetupOutputEnd, readTestOutputEnd } from './test-output.ts';

/** How much of a large artifact a rendered report is made from. */
const MAX_SHOWN_BYTES = 2 * 1024 * 1024;

/** Writes `report.md` and `report.html` from what the bundle holds. */
export function describeBundle(
  bundle: Bundle,
  report: Report,
  events: readonly RunEvent[],
  reasons: ReasonCatalogue,
): void {
  const patch = readStart(artifactPath(bundle, 'patch.diff'));
  const log = readStart(artifactPath(bundle, 'test.log'));
  const contract = Buffer.from(readStart(artifactPath(bundle, CONTRACT_FILE)).text);
  const view = {
    report,
    events,
    reasons,
    ...readAsked(contract),
    attempt: readContractFacts(contract)?.attempt,
    patch: patch.text,
    patchCut: patch.cut,
    testLog: log.text,
    testLogCut: log.cut,
    testOutputEnd: readTestOutputEnd(artifactPath(bundle, 'test.log')),
    setupOutputEnd: readSetupOutputEnd(
      artifactPath(bundle, 'backend/setup.stdout.log'),
      artifactPath(bundle, 'backend/setup.stderr.log'),
    ),
  };
  writeArtifact(bundle, 'report.md', renderMarkdown(view));
  writeArtifact(bundle, 'report.html', renderHtml(view));
}

function readStart(path: string): { text: string; cut: boolean } {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() !== true) return { text: '', cut: false };
  const buffer = Buffer.alloc(Math.min(stats.size, MAX_SHOWN_BYTES));
  const fd = openSync(path, 'r');
  try {
    readSync(fd, buffer, 0, buffer.length, 0);
  } finally {
    closeSync(fd);
  }
  return { text: buffer.toString('utf8'), cut: stats.size > buffer.length };
}
