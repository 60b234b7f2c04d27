/** Small tasks in the layouts of the Harbor family, one for each result of `task check --all`. */

const TESTS = `import importlib.util
from pathlib import Path

def load():
    spec = importlib.util.spec_from_file_location("double", Path("/app/double.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module

def test_two():
    assert load().double(2) == 4

def test_word():
    assert load().double("a") == "aa"
`;

const REWARD =
  'if [ $? -eq 0 ]; then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi\n';
const BOOTSTRAP = `apt-get update
apt-get install -y curl
curl -LsSf https://astral.sh/uv/0.9.7/install.sh | sh
source $HOME/.local/bin/env
`;

const TOML = `version = "1.0"
[metadata]
difficulty = "easy"
[verifier]
timeout_sec = 240.0
[verifier.env]
[agent]
timeout_sec = 300.0
[environment]
build_timeout_sec = 600.0
cpus = 1
memory_mb = 2048
allow_internet = true
[solution.env]
FACTOR = "2"
`;

type Files = Readonly<Record<string, string>>;

/** Harbor: `task.toml`, `environment/Dockerfile`, `tests/test.sh` with a reward, `solution/solve.sh`. */
export const HARBOR: Files = {
  'task.toml': TOML,
  'instruction.md': 'Make double in /app/double.py return twice its argument.\n',
  'environment/Dockerfile':
    'FROM python:3.13-slim\nRUN apt-get update && apt-get install -y tmux git && rm -rf /var/lib/apt/lists/*\nENV MODE=test\nWORKDIR /app\nCOPY src/ ./\n',
  'environment/src/double.py': 'def double(x):\n    return x\n',
  'tests/test_outputs.py': TESTS,
  'tests/test.sh': `#!/bin/bash\n${BOOTSTRAP}uvx -p 3.13 -w pytest==8.4.1 -w pytest-json-ctrf==0.3.5 pytest --ctrf /logs/verifier/ctrf.json /tests/test_outputs.py -rA\n${REWARD}`,
  'solution/solve.sh':
    '#!/usr/bin/env bash\nset -euo pipefail\n[[ $MODE == test ]]\nsed -i "s/return x/return x * $FACTOR/" /app/double.py\n',
};

/** Terminal-Bench: `task.yaml`, `Dockerfile`, `run-tests.sh`, `solution.sh`. */
export const BENCH: Files = {
  'task.yaml':
    'instruction: Make double in /app/double.py return twice its argument.\nauthor_email: unknown\ndifficulty: easy\ntags:\n  - python\nparser_name: pytest\nmax_agent_timeout_sec: 300.0\nmax_test_timeout_sec: 120.0\n',
  Dockerfile: 'FROM ghcr.io/laude-institute/t-bench/python-3-13:20250620\nWORKDIR /app\nCOPY double.py /app/\n',
  'docker-compose.yaml': 'services:\n  client:\n    build:\n      dockerfile: Dockerfile\n',
  'double.py': 'def double(x):\n    return x\n',
  'run-tests.sh': `#!/bin/bash\n${BOOTSTRAP}uv init\nuv add pytest==8.4.1\nuv run pytest $TEST_DIR/test_outputs.py -rA\n`,
  'tests/test_outputs.py': TESTS,
  'solution.sh': '#!/bin/bash\nsed -i "s/return x/return x * 2/" double.py\n',
};

const without = (files: Files, name: string): Files =>
  Object.fromEntries(Object.entries(files).filter(([key]) => key !== name));

/** By name, with the result that `task check --all` gives each. */
export const FAMILY_TASKS: Readonly<
  Record<string, { readonly files: Files; readonly result: string; readonly why: string }>
> = {
  'bench-proven': { files: BENCH, result: 'proven', why: '' },
  'bench-several-services': {
    files: { ...BENCH, 'docker-compose.yaml': 'services:\n  client: {}\n  db:\n    image: postgres\n' },
    result: 'needs image',
    why: 'it runs further services: db',
  },
  'bench-typed-solution': {
    files: { ...without(BENCH, 'solution.sh'), 'solution.yaml': '- command: echo\n' },
    result: 'no oracle',
    why: 'nothing shows that it can be passed',
  },
  'harbor-boost': {
    files: {
      ...HARBOR,
      'environment/Dockerfile': 'FROM debian:12\nRUN apt-get install -y libno-such-dev\nWORKDIR /app\nCOPY src .\n',
    },
    result: 'needs image',
    why: 'it installs libno-such-dev, which this machine does not have',
  },
  'harbor-boost-without-oracle': {
    files: { ...without(HARBOR, 'solution/solve.sh'), 'environment/Dockerfile': 'FROM nginx\nWORKDIR /app\n' },
    result: 'no oracle',
    why: 'it also needs an image: nothing here stands in for its base image nginx',
  },
  'harbor-hidden-download': {
    files: {
      ...HARBOR,
      'tests/test.sh':
        "#!/bin/bash\ncargo add regex 2>/dev/null || true\necho 'error[E0432]: unresolved import `regex`'\nexit 1\n",
    },
    result: 'needs network',
    why: 'cargo add regex',
  },
  'harbor-java-home': {
    files: {
      ...HARBOR,
      'environment/Dockerfile': 'FROM debian:12\nENV JAVA_HOME=/usr/lib/jvm/no-such\nWORKDIR /app\nCOPY src .\n',
    },
    result: 'needs image',
    why: 'it sets JAVA_HOME to /usr/lib/jvm/no-such, which this machine does not have',
  },
  'harbor-broken-oracle': {
    files: { ...HARBOR, 'solution/solve.sh': '#!/bin/bash\necho nothing\n' },
    result: 'broken',
    why: 'its oracle does not pass: no diff produced',
  },
  'harbor-exit-code': {
    files: {
      ...HARBOR,
      'tests/test.sh': '#!/bin/bash\npython3 -c "from double import double; assert double(2) == 4"\n' + REWARD,
    },
    result: 'proven',
    why: '',
  },
  'harbor-network': {
    files: {
      ...HARBOR,
      'solution/solve.sh':
        '#!/bin/bash\npip install no-such-package && sed -i "s/return x/return x * 2/" /app/double.py\n',
    },
    result: 'needs network',
    why: 'no-such-package',
  },
  'harbor-nothing': {
    files: { ...HARBOR, 'tests/test.sh': '#!/bin/bash\necho 1 > /logs/verifier/reward.txt\n' },
    result: 'proves nothing',
    why: 'its tests pass when nothing was done',
  },
  'harbor-proven': { files: HARBOR, result: 'proven', why: '' },
  'harbor-unknown-key': {
    files: { ...HARBOR, 'task.toml': `${TOML}colour = "red"\n[enviroment]\n` },
    result: 'broken',
    why: 'unknown key enviroment',
  },
  'harbor-visible': {
    files: { ...HARBOR, 'environment/src/.answer': HARBOR['solution/solve.sh'] ?? '' },
    result: 'proves nothing',
    why: 'the workspace holds the solution: .answer',
  },
};
