/** What `seatrial new --example` writes: a project whose demo agents go through three phases by themselves. */

import { BUILT_IN_KICKOFF, BUILT_IN_ROLES } from '../kickoff/built-in.ts';

const CODE = '```';

interface Function {
  readonly module: string;
  readonly name: string;
  readonly task: string;
  readonly stub: string;
  readonly test: string;
  readonly attempts: readonly string[];
  readonly check: string;
}

const FUNCTIONS: readonly Function[] = [
  {
    module: 'slug',
    name: 'slugify',
    task: 'Make `slugify` turn a title into a slug: lower case, words joined by single hyphens, no hyphen at either end.',
    stub: '    return title',
    test: "    assert slugify('Hello World') == 'hello-world'",
    // The first attempt passes the tests and is wrong: the adversary finds out.
    attempts: ["    return title.lower().replace(' ', '-')", "    return '-'.join(title.lower().split())"],
    check: "slugify('  a  b ') == 'a-b'",
  },
  {
    module: 'count',
    name: 'count_words',
    task: 'Make `count_words` count the words of a text.',
    stub: '    return 0',
    test: "    assert count_words('one two three') == 3",
    attempts: ['    return len(text.split())'],
    check: "count_words('') == 0",
  },
  {
    module: 'initials',
    name: 'initials',
    task: 'Make `initials` give the first letters of a name, in upper case.',
    stub: '    return name',
    test: "    assert initials('ada lovelace') == 'AL'",
    attempts: ["    return ''.join(word[0] for word in name.upper().split())"],
    check: "initials('grace hopper') == 'GH'",
  },
];

const parameter: Readonly<Record<string, string>> = { slug: 'title', count: 'text', initials: 'name' };

const moduleText = ({ module, name }: Function, body: string): string =>
  `def ${name}(${parameter[module] ?? 'text'}):\n${body}\n`;

const planText = (one: Function): string => `# ${one.name}

${one.task} It is in \`${one.module}.py\`; its tests are in \`test_${one.module}.py\`.

The sections below are for the demo agents; a real agent needs the text above alone.
${one.attempts
  .map(
    (body, at) => `
## Attempt ${at + 1}

${CODE}sh
cat >${one.module}.py <<'END'
${moduleText(one, body)}END
${CODE}
`,
  )
  .join('')}
## Check

${CODE}sh
python3 -B -c "from ${one.module} import ${one.name}; assert ${one.check}"
${CODE}
`;

/** Files of the example's repository. */
export const EXAMPLE_REPOSITORY: Readonly<Record<string, string>> = Object.fromEntries<string>([
  ['.gitignore', '__pycache__/\n.pytest_cache/\n'],
  ...FUNCTIONS.flatMap((one): [string, string][] => [
    [`${one.module}.py`, moduleText(one, one.stub)],
    [`test_${one.module}.py`, `from ${one.module} import ${one.name}\n\n\ndef test_${one.name}():\n${one.test}\n`],
  ]),
]);

export const EXAMPLE_PLANS: Readonly<Record<string, string>> = Object.fromEntries(
  FUNCTIONS.map((one) => [`plans/${one.module}.md`, planText(one)]),
);

/** The built-in texts, to be changed. */
export const EXAMPLE_PROMPTS: Readonly<Record<string, string>> = {
  'prompts/kickoff.md': BUILT_IN_KICKOFF,
  ...Object.fromEntries(Object.entries(BUILT_IN_ROLES).map(([role, text]) => [`prompts/${role}.md`, text])),
};

/** agents.toml of a new project; with the example's phases, or without any. */
export function agentsToml(prefix: string, example: boolean): string {
  return `session_prefix = "${prefix}"
log_dir = ".ao-state"

[defaults]
backend = "demo"
${
  example
    ? `${FUNCTIONS.map(
        ({ module }) => `
[[phases]]
id = "${module}"
plan = "plans/${module}.md"
proof = { test = "python3 -m pytest -q", require = "fixed" }
`,
      ).join('')}
[agents.builder]
kind = "loop"
role = "builder"

[agents.adversary]
kind = "loop"
role = "adversary"
`
    : `
[agents.assistant]
kind = "persistent"
prompt = "Wait for instructions."
`
}`.replace(
    'log_dir = ".ao-state"\n',
    example
      ? 'log_dir = ".ao-state"\nrepo = "repo"\nkickoff = "prompts/kickoff.md"\nroles_dir = "prompts"\n'
      : 'log_dir = ".ao-state"\n',
  );
}
