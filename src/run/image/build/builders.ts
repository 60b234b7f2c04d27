import * as z from 'zod/mini';
import { runTool, type ToolResult } from '../../../confine/processes/spawn.ts';
import { findProgram } from '../../../confine/tools/find-program.ts';
import { SYSTEM_PATH } from '../../../confine/bwrap/system-layout.ts';

/** A program that makes images. Nothing is ever run by it but the steps of the image itself. */
export interface ImageBuilder {
  readonly name: string;
  readonly program: string;
  readonly version: string;
}

/** What an image says about the programs that run in it. */
export interface ImageConfig {
  readonly env: readonly string[];
  readonly workdir: string;
}

const BUILDERS = ['buildah', 'podman', 'docker'];

/** Names the builder to use, or `none`. */
const BUILDER_VARIABLE = 'SEATRIAL_IMAGE_BUILDER';

/** Runs a builder as its owner would, so that it finds its storage, its registries and its service. */
function callBuilder(
  { program }: Pick<ImageBuilder, 'program'>,
  args: readonly string[],
  timeoutMs = 20_000,
): Promise<ToolResult> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) if (value !== undefined) env[name] = value;
  return runTool(program, args, { timeoutMs, env });
}

/** The first builder on PATH that answers, or why there is none. One whose service does not run does not answer. */
export async function findBuilder(path: string): Promise<ImageBuilder | string> {
  const wanted = process.env[BUILDER_VARIABLE] ?? '';
  if (wanted === 'none') return `${BUILDER_VARIABLE} is none`;
  if (wanted !== '' && !BUILDERS.includes(wanted))
    return `${BUILDER_VARIABLE} is "${wanted}", and only ${BUILDERS.join(', ')} and none are known`;
  let silent: string | null = null;
  for (const name of wanted === '' ? BUILDERS : [wanted]) {
    const program = findProgram(name, `${path}:${SYSTEM_PATH}`);
    if (program === null) continue;
    const answers = name === 'docker' ? await callBuilder({ program }, ['info']) : { exitCode: 0 };
    const { exitCode, stdout } = await callBuilder({ program }, ['--version']);
    if (answers.exitCode === 0 && exitCode === 0)
      return { name, program, version: /\d+(?:\.\d+)+/.exec(stdout)?.[0] ?? 'unknown' };
    silent = exitCode === 0 ? `${name} is installed, but its service does not answer` : `${program} does not start`;
  }
  return silent ?? (wanted === '' ? 'no image builder is installed' : `${wanted} is not installed`);
}

export interface BuildRequest {
  readonly tag: string;
  readonly contextDir: string;
  /** Path of the Dockerfile. */
  readonly dockerfile: string;
  /** Where the files of the image are written. */
  readonly tar: string;
  readonly timeoutMs: number;
}

/** Builds an image and writes its files as one archive. A string: why it could not, in the builder's own words. */
export async function buildImage(builder: ImageBuilder, request: BuildRequest): Promise<ImageConfig | string> {
  const { tag, contextDir, dockerfile, tar, timeoutMs } = request;
  const isBuildah = builder.name === 'buildah';
  const output = isBuildah ? ['--output', `type=tar,dest=${tar}`] : [];
  const call = async (args: readonly string[]): Promise<string> => {
    const done = await callBuilder(builder, args, timeoutMs);
    if (done.exitCode !== 0) throw new BuilderFailed(lastWords(done, timeoutMs));
    return done.stdout.trim();
  };
  let container: string | null = null;
  try {
    await call(['build', '--tag', tag, '--file', dockerfile, ...output, contextDir]);
    if (!isBuildah) {
      // Never started. An image without a command needs one here.
      container = (await call(['create', tag, '/bin/true'])).split('\n').at(-1) ?? '';
      await call(['export', '--output', tar, container]);
    }
    const inspect = isBuildah ? ['inspect', '--type', 'image', tag] : ['image', 'inspect', tag];
    return readConfig(await call(inspect));
  } catch (error) {
    if (error instanceof BuilderFailed) return error.message;
    throw error;
  } finally {
    if (container !== null) await callBuilder(builder, ['rm', container]);
    await callBuilder(builder, isBuildah ? ['rmi', tag] : ['image', 'rm', tag]);
  }
}

class BuilderFailed extends Error {}

const MAX_SHOWN = 200;

function lastWords({ exitCode, stdout, stderr }: ToolResult, timeoutMs: number): string {
  if (exitCode === null) return `it did not end within ${timeoutMs / 1000} s`;
  const lines = `${stdout}\n${stderr}`.split('\n').map((line) => line.trim());
  const said = lines.findLast((line) => /\berror\b/i.test(line)) ?? lines.findLast((line) => line !== '');
  return (said ?? `exit code ${exitCode}`).slice(0, MAX_SHOWN);
}

const configSchema = z.looseObject({
  Env: z.nullish(z.array(z.string())),
  WorkingDir: z.nullish(z.string()),
});

/** Of buildah, or of the others, who give a list of one. */
const inspected = z.union([
  z.looseObject({ OCIv1: z.looseObject({ config: z.optional(configSchema) }) }),
  z.tuple([z.looseObject({ Config: configSchema })]),
]);

function readConfig(text: string): ImageConfig {
  const read = inspected.parse(JSON.parse(text));
  const config = Array.isArray(read) ? read[0].Config : read.OCIv1.config;
  return { env: config?.Env ?? [], workdir: config?.WorkingDir || '/' };
}
