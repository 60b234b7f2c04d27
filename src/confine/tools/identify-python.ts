import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { readHomes } from '../bwrap/mount-masks.ts';
import { isWithin } from '../../kernel/path-text.ts';
import { pyenvFilesBehind } from './pyenv.ts';
import { ask, digestOf, DOES_NOT_SERVE, type Identified, isSameFile, type ToolQuestion } from './tool-question.ts';

const QUESTION = `
import importlib.util, json, platform, sys
spec = importlib.util.find_spec(sys.argv[1]) if sys.argv[1] else None
print(json.dumps({
  "executable": sys.executable, "prefixes": [sys.prefix, sys.base_prefix], "version": platform.python_version(),
  "module": spec.origin if spec else None,
}))`;

const answer = z.object({
  executable: z.string(),
  prefixes: z.array(z.string()),
  version: z.string(),
  module: z.nullable(z.string()),
});

export async function identifyPython(question: ToolQuestion): Promise<Identified> {
  const { name, candidate, needsModule, env } = question;
  const said = answer.safeParse(parseJson(await ask(candidate, ['-I', '-c', QUESTION, needsModule ?? ''], env)));
  if (!said.success) return DOES_NOT_SERVE;
  const { executable, prefixes, version, module } = said.data;
  if (needsModule !== null && module === null) return DOES_NOT_SERVE;
  const behind = isSameFile(candidate, executable) ? [] : pyenvFilesBehind(candidate);
  const environments = prefixes.map((prefix) => join(prefix, ENVIRONMENT));
  return {
    found: {
      tool: { name, path: executable, version, sha256: digestOf(executable) },
      needs: [executable, ...prefixes.flatMap(partsOf)],
      links: [],
    },
    restsOn: behind === null ? null : [executable, ...environments, ...behind, ...(module === null ? [] : [module])],
  };
}

const ENVIRONMENT = 'pyvenv.cfg';
/** Files that mark a prefix as belonging to this Python alone. */
const OWN_MARKS = [ENVIRONMENT, 'conda-meta'];
const PARTS = ['lib', 'lib64', 'include'];
const PARTS_OF_ITS_OWN = ['bin', 'libexec', 'share', 'ssl', ENVIRONMENT];

/**
 * Subdirectories of an installation, never its root, which may hold a `pip.conf` or `.condarc`, or be a project. Of a prefix shared with
 * other programs, such as ~/.local, only the libraries.
 */
function partsOf(prefix: string): string[] {
  const isShared =
    !OWN_MARKS.some((mark) => existsSync(join(prefix, mark))) &&
    readHomes().some((home) => isWithin(home, dirname(prefix)));
  return [...PARTS, ...(isShared ? [] : PARTS_OF_ITS_OWN)].map((part) => join(prefix, part));
}

function parseJson(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
