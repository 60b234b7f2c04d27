"""Runs the verifier script of a task, and answers the installers that such scripts begin with.

Called as `verify.py <name> <arguments>`, where the name is that of the program it stands in for; `verify` runs the script itself.
The machine has no network in here, so an installer says yes to what is already there, and fails for everything else as it would
without a network.
"""

import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
CHANNEL = 3


def settings():
    with open(os.path.join(HERE, "settings.json"), encoding="utf-8") as file:
        return json.load(file)


def report(line):
    """One line for the judge. Without its channel, as in the oracle's sandbox, there is nobody to tell."""
    try:
        os.write(CHANNEL, (line.replace("\n", " ").replace("\t", " ") + "\n").encode())
    except OSError:
        pass


def refuse(text):
    print("seatrial: not available offline: " + text, file=sys.stderr)
    return 1


# --- the script ------------------------------------------------------------------------------------------------------


def verify(args):
    how = settings()
    home = os.path.join(os.environ["HOME"], ".local", "bin")
    os.makedirs(home, exist_ok=True)
    # Scripts read this file after they have installed uv.
    with open(os.path.join(home, "env"), "w", encoding="utf-8"):
        pass
    code = subprocess.call(interpreter(args[0]) + args, stdin=subprocess.DEVNULL, pass_fds=[CHANNEL])
    if how["reads"] == "exit_code":
        return code
    reward = read_reward(how["logs"])
    print(f"seatrial: the script exited with {code}; its reward is {reward}", file=sys.stderr)
    return 0 if reward is not None and reward >= 1 else 1


def interpreter(script):
    with open(script, "rb") as file:
        first = file.readline(512).decode("utf-8", "replace").strip()
    return first[2:].split() if first.startswith("#!") else ["bash"]


def read_reward(logs):
    """The number in reward.txt, or the least of those in reward.json; None: neither says one."""
    try:
        with open(os.path.join(logs, "reward.txt"), encoding="utf-8") as file:
            return float(file.read().strip())
    except (OSError, ValueError):
        pass
    try:
        with open(os.path.join(logs, "reward.json"), encoding="utf-8") as file:
            said = json.load(file)
        numbers = [float(value) for value in (said.values() if isinstance(said, dict) else [said])]
        return min(numbers) if numbers else None
    except (OSError, ValueError, TypeError):
        return None


# --- pytest ----------------------------------------------------------------------------------------------------------

# Options of plugins that are not here, and how many words each takes beside itself.
ABSENT_OPTIONS = {"--ctrf": 1, "--json-report": 0, "--json-report-file": 1, "--timeout": 1, "-n": 1, "--numprocesses": 1, "--dist": 1}


def without_plugins(args):
    kept, at = [], 0
    while at < len(args):
        name = args[at].split("=", 1)[0]
        if name in ABSENT_OPTIONS:
            at += 1 if "=" in args[at] else 1 + ABSENT_OPTIONS[name]
        elif name.startswith("--cov") or args[at] == "-nauto":
            at += 1
        else:
            kept.append(args[at])
            at += 1
    return kept


def pytest(args):
    """Runs pytest as a child that has no way to the judge but what it tells this process."""
    ours, theirs = os.pipe()
    os.set_inheritable(theirs, True)
    command = [sys.executable, "-I", "-B", os.path.join(HERE, "verifier_pytest.py"), str(theirs)]
    try:
        os.set_inheritable(CHANNEL, False)
    except OSError:
        pass
    child = subprocess.Popen(command + without_plugins(args), pass_fds=[theirs])
    os.close(theirs)
    seen, done = [], None
    with os.fdopen(ours, "r", encoding="utf-8", errors="replace") as lines:
        for line in lines:
            try:
                said = json.loads(line)
            except ValueError:
                continue
            if "done" in said:
                done = said["done"]
            else:
                seen.append((said["id"], said["outcome"]))
    code = child.wait()
    prefix = run_prefix()
    for test_id, outcome in seen:
        state = "ok" if outcome in ("passed", "skipped") else "not ok"
        report(f"{state} {prefix}{test_id}" + (" # SKIP" if outcome == "skipped" else ""))
    if done is None or done != code:
        report(f"not ok {prefix}pytest ended before its last test")
        return code or 1
    return code


def run_prefix():
    """Tells the runs of a script that starts pytest more than once apart."""
    path = os.path.join(os.environ.get("TMPDIR", "/tmp"), ".seatrial-pytest-runs")
    with open(path, "a+", encoding="utf-8") as file:
        file.seek(0)
        runs = len(file.read())
        file.write(".")
    return "" if runs == 0 else f"run {runs + 1}: "


# --- installers ------------------------------------------------------------------------------------------------------

OF_THE_JUDGE = {"pip", "setuptools", "wheel", "uv", "pytest", "pytest-json-ctrf", "pytest-timeout", "pytest-json-report", "pytest-cov", "pytest-xdist"}


def distribution(text):
    for at, char in enumerate(text):
        if char in " [<>=!~;@":
            text = text[:at]
            break
    return "-".join(part for part in text.lower().replace("_", "-").replace(".", "-").split("-") if part)


def install_python(args):
    there = OF_THE_JUDGE | set(settings()["python"])
    valued = {"-i", "--index-url", "--extra-index-url", "-c", "--constraint", "--target", "-p", "--python", "-f"}
    wanted, at = [], 0
    while at < len(args):
        if args[at] in ("-r", "--requirement", "--requirements"):
            wanted += requirements(args[at + 1] if at + 1 < len(args) else "")
            at += 2
        elif args[at] in valued:
            at += 2
        else:
            if not args[at].startswith("-"):
                wanted.append(args[at])
            at += 1
    missing = [name for name in wanted if distribution(name) not in there]
    return refuse(", ".join(missing)) if missing else 0


def requirements(path):
    try:
        with open(path, encoding="utf-8") as file:
            lines = [line.split("#", 1)[0].strip() for line in file]
    except OSError:
        return [path]
    return [line for line in lines if line and not line.startswith("-")]


def pip(args):
    return install_python(args[1:]) if args and args[0] == "install" else 0


def apt_get(args):
    words = [arg for arg in args if not arg.startswith("-")]
    if not words or words[0] != "install":
        return 0
    there = set(settings()["debian"])
    missing = [name for name in words[1:] if name.split("=", 1)[0] not in there]
    return refuse(", ".join(missing)) if missing else 0


INSTALLERS = ("https://astral.sh/uv/",)


def download(args):
    addresses = [arg for arg in args if "://" in arg]
    if addresses and all(address.startswith(INSTALLERS) for address in addresses):
        return 0
    return refuse(" ".join(addresses) or "a download") and 6


def uv(args):
    args = after_options(args, {"--directory", "--project", "--cache-dir"})
    verb, rest = (args[0], args[1:]) if args else ("", [])
    if verb == "run":
        return run_tool(rest, {"--with", "-w", "-p", "--python", "--extra", "--group", "--env-file"})
    if verb == "tool" and rest[:1] == ["run"]:
        return uvx(rest[1:])
    if verb == "pip":
        return pip(rest)
    if verb == "add":
        return install_python(rest)
    return 0


def uvx(args):
    return run_tool(args, {"--with", "-w", "-p", "--python", "--from", "--index-url"})


def after_options(args, valued):
    at = 0
    while at < len(args) and args[at].startswith("-"):
        at += 2 if args[at] in valued else 1
    return args[at:]


def run_tool(args, valued):
    """`uv run` and `uvx`: what they would install has to be there, then the program is started."""
    at, packages = 0, []
    while at < len(args) and args[at].startswith("-"):
        name, _, value = args[at].partition("=")
        if name in ("--with", "-w", "--from"):
            packages.append(value or (args[at + 1] if at + 1 < len(args) else ""))
        at += 2 if name in valued and not value else 1
    code = install_python([package for group in packages for package in group.split(",")])
    if code:
        return code
    program, rest = (args[at], args[at + 1 :]) if at < len(args) else ("true", [])
    program = program.split("@", 1)[0]
    if program in ("pytest", "py.test"):
        return pytest(rest)
    if program in ("python", "python3"):
        return python(rest)
    os.execvp(program, [program] + rest)


def python(args):
    if args[:2] == ["-m", "pytest"]:
        return pytest(args[2:])
    if args[:2] == ["-m", "pip"]:
        return pip(args[2:])
    os.execv(sys.executable, [sys.executable] + args)


PROGRAMS = {
    "verify": verify,
    "pytest": pytest,
    "py.test": pytest,
    "pip": pip,
    "pip3": pip,
    "apt-get": apt_get,
    "apt": apt_get,
    "curl": download,
    "wget": download,
    "uv": uv,
    "uvx": uvx,
    "python": python,
    "python3": python,
}

if __name__ == "__main__":
    sys.exit(PROGRAMS[sys.argv[1]](sys.argv[2:]))
