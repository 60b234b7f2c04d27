import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { isAdmittedAnswer, upstreamName } from '../../../admission/served-model.ts';
import { removeScratch } from '../../../confine/remove-scratch.ts';
import { makeScratch } from '../../../confine/scratch.ts';
import type { ModelRecord } from '../../../evidence/schema/admission.ts';
import { startGateway } from '../../../gateway/process/start.ts';
import type { RunEnvironment } from '../../../run/request.ts';

const TIMEOUT_MS = 60_000;

/**
 * Asks the endpoint one question and adds the name that it answers under to the record. `note` says what was not found out; it
 * contains neither endpoint nor key.
 */
export async function withServedName(
  record: ModelRecord,
  { upstream, certificates }: Pick<RunEnvironment['models'], 'upstream' | 'certificates'>,
): Promise<{ readonly record: ModelRecord; readonly note: string | null }> {
  const endpoint = upstream(record);
  const { endpoint_variable: variable, key_variable: key } = record;
  // Without its variables it cannot be asked, and a public endpoint without a key would only refuse.
  const lacksKey = endpoint?.key === null && (key !== null || variable === null);
  // With a login, Seatrial itself asks nothing.
  if (endpoint === null || lacksKey || record.login !== undefined) return { record, note: null };
  const scratch = makeScratch();
  try {
    const gateway = await startGateway(
      {
        admitted: { provider: record.provider, model: record.model },
        runtimeModel: record.runtime.model,
        upstreamModel: upstreamName(record),
        helperModels: [],
        toleratedOtherModels: 0,
        wire: record.wire,
        upstream: endpoint,
        key: randomBytes(16).toString('hex'),
        budgets: {},
        prices: null,
        replay: null,
        fault: null,
        requestTimeoutMs: TIMEOUT_MS,
      },
      {
        socketPath: join(scratch, 'socket'),
        tcp: false,
        extraCaCerts: certificates,
        onReport: () => {},
      },
    );
    const { kind, detail, answered_by: name } = await gateway.probe(randomBytes(8).toString('hex'));
    await gateway.close();
    if (name === null) return { record, note: `the endpoint did not name its model: ${detail} (${kind})` };
    if (isAdmittedAnswer(record, name)) return { record, note: null };
    return {
      record: { ...record, served_as: [...new Set([upstreamName(record), ...(record.served_as ?? []), name])] },
      note: null,
    };
  } finally {
    await removeScratch(scratch);
  }
}
