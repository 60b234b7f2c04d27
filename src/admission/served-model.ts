import type { ModelRecord } from '../evidence/schema/admission.ts';

type Served = Pick<ModelRecord, 'model' | 'served_as'>;

/** The name by which the endpoint is asked for the model. */
export const upstreamName = ({ model, served_as: names }: Served): string => names?.[0] ?? model;

/** Whether an answer under this name is the admitted model's. Providers add the date of a release to its name. */
export function isAdmittedAnswer({ model, served_as: names = [] }: Served, answered: string): boolean {
  return [model, ...names].some((name) => answered === name || isDated(answered, name));
}

function isDated(answered: string, name: string): boolean {
  return answered.startsWith(name) && /^-(\d{8}|\d{4}-\d{2}-\d{2})$/.test(answered.slice(name.length));
}
