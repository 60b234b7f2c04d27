import { parse } from 'yaml';
import * as z from 'zod/mini';
import { messageOf } from '../../kernel/errors.ts';

/** Keys of a service that ask for more than a container has by itself. */
const PRIVILEGES = ['privileged', 'cap_add', 'devices', 'network_mode', 'pid', 'ipc', 'runtime'] as const;
/** The service that the agent works in, by layout and age. */
const OWN_SERVICES = new Set(['client', 'main']);

const composeSchema = z.looseObject({ services: z.optional(z.record(z.string(), z.looseObject({}))) });

/** Why a compose file needs a real container; null: it describes the agent's container and nothing else. */
export function composeNeeds(text: string): string | null {
  let parsed: unknown;
  try {
    parsed = parse(text);
  } catch (error) {
    return `docker-compose.yaml cannot be read: ${messageOf(error).split('\n')[0]}`;
  }
  const read = composeSchema.safeParse(parsed ?? {});
  if (!read.success) return 'docker-compose.yaml is not a compose file';
  const services = Object.entries(read.data.services ?? {});
  const others = services.map(([name]) => name).filter((name) => !OWN_SERVICES.has(name));
  if (others.length > 0) return `it runs further services: ${others.join(', ')}`;
  for (const [name, service] of services) {
    const asked = PRIVILEGES.find((key) => key in service);
    if (asked !== undefined) return `its service ${name} sets ${asked}`;
  }
  return null;
}
