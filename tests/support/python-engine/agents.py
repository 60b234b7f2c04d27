"""A small stand-in for the Python orchestrator: the commands, files, sessions and texts that a migration meets."""
import os
import pathlib
import subprocess
import sys
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
CONFIG = tomllib.loads((HERE / "agents.toml").read_text())
LOGS = (HERE / CONFIG["log_dir"]).resolve()
STATE = LOGS / "state"
PREFIX = CONFIG["session_prefix"]
PHASES = CONFIG["phases"]


def tmux(*args):
    return subprocess.run(["tmux", "-S", os.environ["SEATRIAL_TMUX_SOCKET"], *args], capture_output=True, text=True)


def session(name, agent):
    return PREFIX + agent.get("session", name)


def index():
    file = STATE / "phase-idx"
    return int(file.read_text()) if file.exists() else 0


def model(agent):
    phase = PHASES[min(index(), len(PHASES) - 1)].get("models", {}) if agent["kind"] == "loop" else {}
    name = phase if isinstance(phase, str) else phase.get(agent.get("role"), agent.get("model"))
    name = name or agent.get("model") or CONFIG["defaults"].get("model", "-")
    return CONFIG.get("models", {}).get(name, name)


def kickoff(agent):
    phase = PHASES[index()]
    role = (HERE / "prompts" / (agent["role"] + ".md")).read_text()
    status = LOGS / "protocol" / phase["id"] / "builder" / f"STATUS-{phase['id']}.md"
    return f"Phase {phase['id']}: read /srv/plans/{phase['plan']}\nStatus: {status}\n\n{role}"


def start(name, command):
    if tmux("has-session", "-t", "=" + name).returncode != 0:
        tmux("new-session", "-d", "-s", name, "exec " + command)


def up():
    STATE.mkdir(parents=True, exist_ok=True)
    for name, agent in CONFIG["agents"].items():
        if not agent.get("enabled", True) or agent["kind"] == "task":
            continue
        if agent["kind"] == "loop":
            (LOGS / f"kickoff-{session(name, agent)}.txt").write_text(kickoff(agent))
        start(session(name, agent), agent.get("command", "sleep 3600"))
    start(PREFIX + "watchdog", f"python3 {HERE / 'agents.py'} watchdog")


def down():
    tmux("kill-session", "-t", "=" + PREFIX + "watchdog")
    for name, agent in CONFIG["agents"].items():
        tmux("kill-session", "-t", "=" + session(name, agent))


def status():
    at = index()
    phase = PHASES[min(at, len(PHASES) - 1)]
    done = "done" if at >= len(PHASES) else "in progress"
    print(f"phase: {phase['id']} [{min(at + 1, len(PHASES))}/{len(PHASES)}] plan={phase['plan']} ({done})")
    rows = list(CONFIG["agents"].items()) + [("watchdog", {"kind": "service"})]
    for name, agent in rows:
        service = agent["kind"] == "service"
        alive = tmux("has-session", "-t", "=" + session(name, agent)).returncode == 0
        fields = ["-", "-", "-"] if service else [CONFIG["defaults"]["backend"], model(agent), watch(agent)]
        print(f"{name:14}{agent['kind']:12}{fields[0]:8}{fields[1]:20}{fields[2]:12}"
              + ("RUNNING" if alive else "stopped") + ("" if agent.get("enabled", True) else " (disabled)"))


def watch(agent):
    if agent["kind"] == "task":
        return agent.get("watch", "none")
    return agent.get("watch", CONFIG["defaults"].get("watch", "heal"))


def watchdog():
    while True:
        with open(LOGS / "watchdog.log", "a") as log:
            log.write("looked\n")
        time.sleep(1)


{"up": up, "down": down, "status": status, "watchdog": watchdog}[sys.argv[1] if len(sys.argv) > 1 else "status"]()
