#!/usr/bin/env bash
# The script behind action.yml, for any CI: sets a runner up and judges the change of the job. Reads SEATRIAL_CI_TEST, _SETUP, _BASE,
# _ALLOW_DECIDING, _ACCEPT, _TIMEOUT, _KEY, _DIRECTORY and _RUNS; empty means the default of `seatrial ci`. Exits with its code.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
state=$(mktemp -d "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/seatrial-ci-XXXXXX")

# Ubuntu 24.04 denies user namespaces, which the sandbox is made of, to programs without an AppArmor profile.
restricted=/proc/sys/kernel/apparmor_restrict_unprivileged_userns
if [[ $(id -u) != 0 && -r $restricted && $(<"$restricted") == 1 ]]; then
  sudo sysctl --quiet --write kernel.apparmor_restrict_unprivileged_userns=0 ||
    echo "user namespaces are restricted (kernel.apparmor_restrict_unprivileged_userns); the sandbox may not start" >&2
fi

if [[ -n ${SEATRIAL_CI_KEY:-} ]]; then
  export XDG_DATA_HOME=$state/data
  mkdir -p -m 700 "$XDG_DATA_HOME" "$XDG_DATA_HOME/seatrial"
  (umask 077 && printf '%s\n' "$SEATRIAL_CI_KEY" > "$XDG_DATA_HOME/seatrial/harness.key")
fi
unset SEATRIAL_CI_KEY

args=(--repo "${SEATRIAL_CI_DIRECTORY:-.}" --runs "${SEATRIAL_CI_RUNS:-$state/runs}")
add() { if [[ -n $2 ]]; then args+=("$1" "$2"); fi; }
add --test "${SEATRIAL_CI_TEST:-}"
add --base "${SEATRIAL_CI_BASE:-}"
add --accept "${SEATRIAL_CI_ACCEPT:-}"
add --timeout "${SEATRIAL_CI_TIMEOUT:-}"
if [[ ${SEATRIAL_CI_SETUP:-} == none ]]; then args+=(--setup ''); else add --setup "${SEATRIAL_CI_SETUP:-}"; fi
while IFS= read -r glob; do add --allow-deciding "$glob"; done <<< "${SEATRIAL_CI_ALLOW_DECIDING:-}"

exec "$root/seatrial" ci "${args[@]}"
