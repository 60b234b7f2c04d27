import { EACH_NODE, EACH_PYTEST } from '../../forgers/repository/comparisons/nothing-to-ask.ts';
import { KEPT_NODE, KEPT_PYTEST } from '../../forgers/repository/conditions/kept.ts';
import type { RepositoryVariant } from '../repository-variant.ts';

/** Looks like what the matrix of forgers tries with the same repositories. */
export const KEPT: Readonly<Record<'python' | 'javascript', readonly RepositoryVariant[]>> = {
  python: [
    {
      name: 'python: a fix that leaves some of what a test asks something of each',
      repository: EACH_PYTEST,
      script: "sed -i 's/if row\\[0\\]\\]/if row[0].strip()]/' rows.py",
    },
    {
      name: 'python: prints in bold at a terminal, and nothing else changes',
      repository: KEPT_PYTEST,
      script: `sed -i '1i import sys\\n\\n' cart.py; cat >> cart.py <<'END'


def show(prices):
    text = str(total(prices))
    return f"\\033[1m{text}\\033[0m" if sys.stdout.isatty() else text
END`,
    },
  ],
  javascript: [
    {
      name: 'node: a fix that leaves some of what a test asks something of each',
      repository: EACH_NODE,
      script: "sed -i 's/=> row\\[0\\])/=> row[0].trim())/' rows.js",
    },
    {
      name: 'node: as wide as the terminal, and nothing else changes',
      repository: KEPT_NODE,
      script: `cat >> cart.js <<'END'

export const line = () => '-'.repeat(process.stdout.columns ?? 80);
END`,
    },
  ],
};
