/**
 * Writes the table of docs/engines.md that shows what the conformance suite saw of each agent, from docs/agent-verdicts.json.
 * With a file of new results, takes these in first: `npm run test:engines` gives one. `--check` only says whether the table is current.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const DATA = fileURLToPath(new URL('../docs/agent-verdicts.json', import.meta.url));
const PAGE = fileURLToPath(new URL('../docs/engines.md', import.meta.url));
const BEGIN = '<!-- written by scripts/agent-verdicts.mjs -->\n';
const END = '<!-- end -->';

const [given] = process.argv.slice(2);
const verdicts = existsSync(DATA) ? JSON.parse(readFileSync(DATA, 'utf8')) : {};
if (given !== undefined && given !== '--check')
  for (const line of readFileSync(given, 'utf8')
    .split('\n')
    .filter((text) => text !== '')) {
    const { behaviour, engine, ...seen } = JSON.parse(line);
    verdicts[behaviour] = { ...verdicts[behaviour], [engine]: seen };
  }

const page = readFileSync(PAGE, 'utf8');
const at = page.indexOf(BEGIN) + BEGIN.length;
const written = `${page.slice(0, at)}${table()}${page.slice(page.indexOf(END, at))}`;
if (given === '--check') {
  if (written === page) process.exit(0);
  console.error('docs/engines.md does not show docs/agent-verdicts.json: run node scripts/agent-verdicts.mjs');
  process.exit(1);
}
const sorted = (record, order = (value) => value) =>
  Object.fromEntries(
    Object.entries(record)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => [name, order(value)]),
  );
writeFileSync(
  DATA,
  `${JSON.stringify(
    sorted(verdicts, (engines) => sorted(engines)),
    null,
    2,
  )}\n`,
);
writeFileSync(PAGE, written);

/** A row for each verdict on a behaviour, with the agents that got it and the exit codes that they gave themselves. */
function table() {
  const rows = Object.entries(verdicts)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([behaviour, engines]) => {
      const groups = new Map();
      for (const [engine, { exit, status, reason }] of Object.entries(engines).toSorted(([a], [b]) =>
        a < b ? -1 : 1,
      )) {
        const verdict = `${status}: \`${reason.replaceAll('|', '\\|')}\``;
        groups.set(verdict, [...(groups.get(verdict) ?? []), `${engine} (${exit ?? 'ended'})`]);
      }
      return [...groups].map(([verdict, names]) => `| ${behaviour} | ${verdict} | ${names.join(', ')} |`);
    });
  return ['| the program … | verdict | seen with (its own exit code) |', '|---|---|---|', ...rows, ''].join('\n');
}
