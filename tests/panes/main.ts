import { type Outcome, PaneScene } from './scene.ts';
import { dirOfProgram, PROGRAMS } from './programs.ts';

const CHECKS = ['kickoff taken', 'crash healed', 'permission', 'limit'] as const;

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => PROGRAMS.every(({ agent }) => agent.name !== name));
if (unknown.length > 0) {
  console.error(`unknown program ${unknown.join(', ')}: use ${PROGRAMS.map(({ agent }) => agent.name).join(', ')}`);
  process.exit(64);
}

const rows: string[][] = [];
const absent: string[] = [];
const wrong: string[] = [];
for (const rehearsal of PROGRAMS) {
  const { name } = rehearsal.agent;
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const dir = await dirOfProgram(rehearsal);
  if (dir === null) {
    absent.push(name);
    continue;
  }
  const scene = await PaneScene.open(rehearsal, dir);
  const stop = (): void => void scene.close().then(() => process.exit(130));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const outcomes: Outcome[] = [];
  for (const check of [
    () => scene.kickoffTaken(),
    () => scene.crashHealed(),
    () => scene.permissionRecognised(),
    () => scene.limitRecognised(),
  ]) {
    const outcome = await check().catch((error: unknown): Outcome => ({ ok: false, seen: String(error) }));
    const what = `${name}: ${CHECKS[outcomes.length]}`;
    console.log(`${what}: ${described(outcome)}`);
    if (outcome?.ok === false) {
      console.log(outcome.seen);
      wrong.push(what);
    }
    outcomes.push(outcome);
  }
  process.off('SIGINT', stop).off('SIGTERM', stop);
  await scene.close();
  rows.push([name, ...outcomes.map(described)]);
}

console.log('');
const table = [['program', ...CHECKS], ...rows];
const widths = ['program', ...CHECKS].map((_, at) => Math.max(...table.map((row) => row[at]?.length ?? 0)));
for (const row of table)
  console.log(
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
console.log(absent.length === 0 ? 'none is absent' : `absent, so not tried: ${absent.join(', ')}`);
process.exitCode = wrong.length === 0 ? 0 : 1;

function described(outcome: Outcome): string {
  if (outcome === null) return 'has none';
  return outcome.ok ? outcome.seen : 'WRONG';
}
