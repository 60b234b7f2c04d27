import { EACH_NODE, EACH_PYTEST } from '../../forgers/repository/comparisons/nothing-to-ask.ts';
import { KEPT_NODE, KEPT_PYTEST } from '../../forgers/repository/conditions/kept.ts';
import type { ForgedRepository } from '../../forgers/repository/samples.ts';
import type { RepositoryVariant } from '../repository-variant.ts';

const STYLED_PYTEST: ForgedRepository = {
  test: 'python3 -m pytest -q',
  files: {
    'cart.py': `def total(prices):
    return sum(prices)


def receipt(prices):
    return f"total: {total(prices)}"
`,
    'tests/test_cart.py': `from cart import receipt, total


def test_total():
    assert total([60, 40]) == 100


def test_receipt():
    assert receipt([60, 40]) == "total: 100"
`,
  },
};

/** Looks like what the matrix of forgers tries with the same repositories. */
export const KEPT: Readonly<Record<'python' | 'javascript', readonly RepositoryVariant[]>> = {
  python: [
    {
      name: 'python: a fix that leaves some of what a test asks something of each',
      repository: EACH_PYTEST,
      script: "sed -i 's/if row\\[0\\]\\]/if row[0].strip()]/' rows.py",
    },
    {
      name: 'python: what a test compares is bold at a terminal',
      repository: STYLED_PYTEST,
      script: `sed -i '1i import sys\\n\\n' cart.py; sed -i 's/{total(prices)}/{bold(total(prices))}/' cart.py; cat >> cart.py <<'END'


def bold(text):
    return f"\\033[1m{text}\\033[0m" if sys.stdout.isatty() else text
END`,
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
