import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sha256 } from '../../kernel/digest.ts';
import { AGENTS_FILE } from '../config/find.ts';
import { DEFAULT_LOG_DIR } from '../config/project.ts';
import { foldFurther, type ProjectHistory } from '../journal/fold.ts';
import { checkpointFile, journalFile } from '../protocol/paths.ts';
import { type Checkpoint, decodeCheckpoint } from './format.ts';

/** The checkpoint of the project in this directory. Null: there is none for its agents.toml as it is now. Writes nothing. */
export function readCheckpoint(dir: string, build: string): Checkpoint | null {
  try {
    const config = readFileSync(join(dir, AGENTS_FILE));
    const logDir = resolve(dir, logDirHint(config.toString('latin1')));
    const found = decodeCheckpoint(readFileSync(checkpointFile({ logDir })), build);
    if (found === null || found.project.dir !== dir || found.project.logDir !== logDir) return null;
    return found.project.fileSha256 === sha256(config) ? found : null;
  } catch {
    return null; // whatever is wrong, reading everything says it better
  }
}

/** Only where to look: what is found there says which text it was made from. */
const logDirHint = (text: string): string => /^log_dir\s*=\s*"([^"\\]*)"/m.exec(text)?.[1] ?? DEFAULT_LOG_DIR;

/** What all facts so far say. Null: the journal does not begin with what the checkpoint was made from. */
export async function historySince({ project, position, history }: Checkpoint): Promise<ProjectHistory | null> {
  let bytes: Buffer;
  try {
    bytes = readFileSync(journalFile(project));
  } catch {
    return null;
  }
  if (bytes.length < position.bytes || sha256(bytes.subarray(0, position.bytes)) !== position.sha256) return null;
  const later = bytes.subarray(position.bytes);
  if (later.length === 0) return history;
  const { readLater } = await import('../journal/store.ts');
  return foldFurther(history, readLater(journalFile(project), later, position));
}
