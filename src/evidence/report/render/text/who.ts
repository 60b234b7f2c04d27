import type { Report } from '../../../schema/report.ts';
import { groupDigits, plural } from './words.ts';

/** Whether the engine had to identify itself; if so, the report shows its identity. */
export function isGated({ stage, executable, model }: Report): boolean {
  return stage !== null || executable !== null || model !== null;
}

type Executable = NonNullable<Report['executable']>;
type Model = NonNullable<Report['model']>;

/** Enough digits to recognise a program; the toolchain section has all of them. */
const DIGEST_LENGTH = 12;

function shortDigest({ sha256 }: Executable): string {
  return sha256.slice(0, DIGEST_LENGTH);
}

/** What the program said of its version when it was admitted, with the start of its digest. */
export function programText(executable: Executable): string {
  const digest = shortDigest(executable);
  return executable.version === undefined ? digest : `${executable.version} (${digest})`;
}

/** The admitted identity of the model. */
export function modelName({ provider, name }: Model): string {
  return `${provider}/${name}`;
}

/** What the engine calls it, which is no identity; null: it was never told of one. */
export function runtimeName({ runtime_provider: runtime, name }: Model): string | null {
  return runtime === null ? null : `${runtime}/${name}`;
}

/** Null: nothing was counted. */
export function usageText(usage: Report['usage']): string | null {
  const parts = [
    usage.requests === null ? [] : [plural(usage.requests, 'request')],
    usage.input_tokens === null ? [] : [`${groupDigits(usage.input_tokens)} tokens in`],
    usage.output_tokens === null ? [] : [`${groupDigits(usage.output_tokens)} tokens out`],
    usage.cost_usd === null ? [] : [`${usage.cost_usd.toFixed(4)} USD`],
  ].flat();
  return parts.length === 0 ? null : parts.join(', ');
}
