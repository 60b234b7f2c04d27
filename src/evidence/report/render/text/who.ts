import type { Report } from '../../../schema/report.ts';
import { groupDigits, plural } from './words.ts';

/** Whether the engine had to show who it is: then a reader wants to know what it showed. */
export function isGated({ stage, executable, model }: Report): boolean {
  return stage !== null || executable !== null || model !== null;
}

type Executable = NonNullable<Report['executable']>;
type Model = NonNullable<Report['model']>;

/** Enough to recognise a program by; the toolchain has all of it. */
const DIGEST_LENGTH = 12;

export function shortDigest({ sha256 }: Executable): string {
  return sha256.slice(0, DIGEST_LENGTH);
}

/** The identity that admission is about. */
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
