import type { Report } from '../../../schema/report.ts';
import { type Section, type Words, fact, file, quote } from '../document.ts';
import { momentText } from '../text/words.ts';

export function digestsSection(report: Report): Section {
  const { freshness } = report;
  const artifacts = Object.entries(report.artifacts).map(([name, path]) => fact(name, file(path)));
  const digests = Object.entries(report.digests).map(([name, digest]) => fact(name, quote(digest)));
  return {
    id: 'digests',
    title: 'Digests and freshness',
    blocks: [
      {
        kind: 'facts',
        rows: [
          fact('Nonce of this run', quote(freshness.nonce)),
          fact('Head of the event chain', quote(freshness.chain_head)),
          fact('Ledger at the start', quote(freshness.ledger_head_at_start)),
          fact('Started', momentText(freshness.started_at)),
          fact('Sealed', ...sealedWords(freshness.sealed_at)),
          fact('Patch', file(report.patch.path), ' sha256 ', quote(report.patch.sha256)),
        ],
      },
      ...(digests.length === 0
        ? []
        : [{ kind: 'heading', text: 'SHA-256' } as const, { kind: 'facts', rows: digests } as const]),
      ...(artifacts.length === 0
        ? []
        : [{ kind: 'heading', text: 'Artifacts' } as const, { kind: 'facts', rows: artifacts } as const]),
    ],
  };
}

/** A page inside the bundle is written before sealing, so the exact time is only in report.json. */
function sealedWords(sealedAt: string | null): Words {
  return sealedAt === null ? ['after this page was written: see ', file('report.json')] : [momentText(sealedAt)];
}
