import { exportAtif } from './atif.ts';
import { exportJunit } from './junit.ts';
import { exportOtlp } from './otlp.ts';
import type { ExportSource } from './source.ts';

/** What `seatrial runs export --format` takes. */
export const EXPORT_FORMATS = {
  atif: { description: "the engine's conversation, ATIF 1.7 (JSON)", write: exportAtif },
  junit: { description: 'the tests and the verdict, JUnit (XML)', write: exportJunit },
  otlp: { description: 'the trace, OpenTelemetry OTLP (JSON)', write: exportOtlp },
} as const satisfies Record<
  string,
  { readonly description: string; readonly write: (source: ExportSource) => string | Uint8Array }
>;

export type ExportFormat = keyof typeof EXPORT_FORMATS;

export const isExportFormat = (name: string): name is ExportFormat => name in EXPORT_FORMATS;
