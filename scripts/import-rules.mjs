/** Checks the imports of src/ against .dependency-cruiser.mjs. Exits 1 if a rule is broken, or if no module was checked. */
import { cruise, format } from 'dependency-cruiser';
import rules from '../.dependency-cruiser.mjs';

const { output } = await cruise(['src'], { ...rules.options, ruleSet: { forbidden: rules.forbidden }, validate: true });
const { summary } = output;
// A parser that cannot read TypeScript finds no modules, and therefore no violations.
const looked = summary.totalCruised > 0 && summary.totalDependenciesCruised > 0;
if (!looked) console.error('dependency-cruiser found no modules in src/, so its rules were not applied');
const text = await format(output, { outputType: 'err' });
process.stdout.write(text.output);
process.exitCode = looked && summary.error === 0 ? 0 : 1;
