import type { EngineSaid } from '../engines/types.ts';
import type { Masker } from '../evidence/secrets/mask.ts';

/** What an engine says of itself, without secrets. A line is masked before it is read, but reading may undo an escape. */
export function maskSaid(said: EngineSaid, mask: Masker): EngineSaid {
  switch (said.type) {
    case 'plan.updated':
      return { ...said, data: { steps: mask.texts(said.data.steps) } };
    case 'engine.message':
      return { ...said, data: { text: mask.text(said.data.text) } };
    case 'engine.tool':
      return { ...said, data: { name: mask.text(said.data.name), detail: mask.text(said.data.detail) } };
    case 'engine.claim': {
      const { commit, text } = said.data;
      return { ...said, data: { commit: commit === null ? null : mask.text(commit), text: mask.text(text) } };
    }
  }
}
