import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { messageOf } from '../../../kernel/errors.ts';

/** The directory of the user's settings. */
export function dataDir(): string {
  const { CASE_DATA_DIR, XDG_CONFIG_HOME, HOME } = process.env;
  if (CASE_DATA_DIR) return resolve(CASE_DATA_DIR);
  if (XDG_CONFIG_HOME) return resolve(XDG_CONFIG_HOME, 'case');
  if (HOME) return resolve(HOME, '.config', 'case');
  throw new Error('CASE_DATA_DIR, XDG_CONFIG_HOME, or HOME must be set');
}

const modelName = z.object({ provider: z.string(), model: z.string() });
export type ModelName = z.infer<typeof modelName>;

const config = z.object({
  projects: z.optional(z.string()),
  models: z.optional(z.record(z.string(), z.nullable(modelName))),
});
type Config = z.infer<typeof config>;

/** Like Case, silently uses the defaults if the file cannot be read. */
function readConfig(path: string): Config {
  return config.safeParse(readJson(path).value).data ?? {};
}

const FALLBACK: ModelName = { provider: 'anthropic', model: 'claude-sonnet-4-6' };

export function modelOf(agent: string): ModelName {
  const { models = {} } = readConfig(join(dataDir(), 'config.json'));
  return models[agent] ?? models['default'] ?? FALLBACK;
}

const projects = z.object({
  repos: z.array(
    z.object({
      name: z.string(),
      path: z.string(),
      type: z.optional(z.string()),
      packageManager: z.optional(z.string()),
      commands: z.optional(z.record(z.string(), z.string())),
    }),
  ),
});
export type CaseProject = z.infer<typeof projects>['repos'][number];

/** The project of that name, with an absolute path. Without a `config.json` Case does not look for projects. */
export function findProject(name: string): CaseProject {
  const dir = dataDir();
  const configPath = join(dir, 'config.json');
  if (!existsSync(configPath)) throw new Error(notFound('(no configured projects path)'));
  const { fault } = readJson(configPath);
  if (fault !== null) {
    process.stderr.write(`case: warning — config.json could not be parsed (${fault}); using defaults.\n`);
  }
  const path = resolve(dir, readConfig(configPath).projects ?? './projects.json');
  if (!existsSync(path)) throw new Error(notFound(path));
  const { repos } = projects.parse(JSON.parse(readFileSync(path, 'utf8')));
  const project = repos.find((repo) => repo.name === name);
  if (project === undefined) throw new Error(`Repo "${name}" not found in projects.json`);
  return { ...project, path: isAbsolute(project.path) ? project.path : resolve(dir, project.path) };
}

const notFound = (looked: string): string =>
  `projects.json not found. Looked in:\n  ${looked}\nRun 'ca init' or set --projects.`;

export function readJson(path: string): { value: unknown; fault: string | null } {
  try {
    return { value: JSON.parse(readFileSync(path, 'utf8')), fault: null };
  } catch (error) {
    return { value: undefined, fault: messageOf(error) };
  }
}
