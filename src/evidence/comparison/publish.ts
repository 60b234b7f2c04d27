import { join } from 'node:path';
import { prettyJson } from '../../kernel/canonical.ts';
import type { HarnessKey } from '../bundle/keys.ts';
import { replaceFile } from '../storage/durable.ts';
import { reportingWrite } from '../storage/write-failed.ts';
import { sealComparisonFiles } from './attest.ts';
import type { OpenedComparison } from './opened.ts';
import { renderComparisonHtml } from './render/html.ts';
import { renderComparisonJunit } from './render/junit.ts';
import { renderComparisonMarkdown } from './render/markdown.ts';
import { COMPARISON_ATTESTATION_FILE, COMPARISON_FILE, HTML_FILE, JUNIT_FILE, MARKDOWN_FILE } from './store.ts';

/** Writes what came of a comparison so far, as data and for people, and signs it. */
export function publishComparison(comparison: OpenedComparison, now: Date, key: HarnessKey): void {
  const { dir, plan, result } = comparison;
  const files = [
    [COMPARISON_FILE, Buffer.from(prettyJson(result))],
    [MARKDOWN_FILE, Buffer.from(renderComparisonMarkdown(comparison))],
    [HTML_FILE, Buffer.from(renderComparisonHtml(comparison))],
    [JUNIT_FILE, Buffer.from(renderComparisonJunit(comparison))],
  ] as const;
  const at = now.toISOString();
  const signed = sealComparisonFiles({ kind: 'result', id: plan.comparison_id, at, files }, key);
  for (const [name, bytes] of [...files, [COMPARISON_ATTESTATION_FILE, signed] as const])
    reportingWrite(join(dir, name), () => replaceFile(join(dir, name), bytes));
}
