import { expect, test } from 'vitest';
import { parse } from 'smol-toml';
import * as z from 'zod/mini';
import { taskFileSchema } from '../../task/contract.ts';
import { settingsFile } from './settings.ts';
import { keysIn, type SchemaKey, SETTINGS_KEYS, TASK_KEYS } from './described-keys.ts';

const FILES = [
  {
    title: 'seatrial.toml',
    schema: settingsFile,
    keys: SETTINGS_KEYS,
    about: `The nearest \`seatrial.toml\` upwards of the current directory holds; paths in it are relative to it. Without one, defaults apply, with the root of the repository, else the
current directory, as root. It is yours, not the repository's: no engine may change it, and where it is committed to the repository that an engine works on, its \`repo_settings\` do not count.

\`\`\`toml
#:schema ./.seatrial/settings.schema.json
[confine]
provision_env = ["HTTPS_PROXY"]
provision_files = ["~/.npmrc"]

[engines.claude]
model = "anthropic/claude-sonnet-4-6"
instructions = "Write no new dependency into package.json."

[models."*"]
max_cost_usd = 2.0

[approvals]
policy = "approvals.toml"
\`\`\``,
  },
  {
    title: '.seatrial/task.toml',
    schema: taskFileSchema,
    keys: TASK_KEYS,
    about: `In a repository, this file says how it is set up and tested; \`seatrial init\` writes it, and it counts as committed. Flags of \`seatrial run\` take precedence. A task directory has
the same file as \`task.toml\` ([tasks.md](tasks.md)).

\`\`\`toml
#:schema ./task.schema.json
version = "1.0"

[agent]
timeout_sec = 900

[seatrial]
test_command = "npm test"
protected_files = ["migrations/**"]
env = { TZ = "UTC" }
\`\`\``,
  },
] as const;

const INTRODUCTION = `# Settings

Two files configure Seatrial: \`seatrial.toml\`, for a person and a machine, and \`.seatrial/task.toml\`, for a repository. Both are optional. Unknown keys and wrong values are errors that name
line and column. Approval policies are on a page of their own: [approvals.md](approvals.md).

Editors with a TOML language server (Taplo, Even Better TOML) complete and check the keys where the first line of a file names its schema. The schemas come with Seatrial; copy them once:

\`\`\`
cp "$(npm root --global)/seatrial/schemas/"{settings,task}.schema.json .seatrial/     # from a clone: schemas/
\`\`\`

Keys and meanings on this page are generated: \`npx vitest run src/cli/environment/configuration-page.test.ts -u\`.`;

const row = ({ path, type }: SchemaKey, texts: Readonly<Record<string, string>>): string =>
  `| \`${path}\` | ${type} | ${linked(texts[path] ?? '')} |`;

/** Names of other pages become links. */
const linked = (text: string): string => text.replaceAll(/\b([a-z-]+\.md)\b/g, '[$1]($1)');

test('docs/configuration.md has every key of both files, and nothing else', async () => {
  const sections = FILES.map(({ title, schema, keys, about }) => {
    const found = keysIn(z.toJSONSchema(schema));
    expect(Object.keys(keys).toSorted()).toEqual(found.map(({ path }) => path).toSorted());
    return [
      `## ${title}`,
      '',
      about,
      '',
      '| key | type | meaning |',
      '|---|---|---|',
      ...found.map((key) => row(key, keys)),
    ].join('\n');
  });
  await expect(`${[INTRODUCTION, ...sections].join('\n\n')}\n`).toMatchFileSnapshot('../../../docs/configuration.md');
});

test.each(FILES)('the example of $title is a valid one', ({ schema, about }) => {
  const example = /```toml\n([^]*?)```/.exec(about)?.[1] ?? '';
  expect(schema.safeParse(parse(example)).error).toBeUndefined();
});
