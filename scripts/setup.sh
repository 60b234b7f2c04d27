# Sourced by ./seatrial and ./test with `root` set to the folder they lie in: makes ready what is missing.
# It speaks on stderr alone, because stdout belongs to the command, and writes below .build/, dist/ and node_modules/ alone.

state=$root/.build

# One sentence for a person, then the exit code that means "a tool that is needed is missing".
refuse() {
  printf 'seatrial: %s\n' "$1" >&2
  exit 2
}

# Calls at the same time make things ready one after the other; the later ones find the work done.
one_at_a_time() {
  local lock
  { mkdir -p "$state" && exec {lock}>"$state/setup.lock"; } 2>/dev/null ||
    refuse "$(cd "$root" && pwd) has to be set up first, by someone who may write to it: run ./seatrial --version there"
  if hash flock 2>/dev/null; then flock "$lock"; fi
  "$@"
  exec {lock}>&-
}

# --- node, npm packages, the bundle ---

# True when the bundle is newer than all it is made from and the node that was checked is still the one. Starts one process.
bundle_is_current() {
  [[ -e $state/built && -r $state/node && -f $root/dist/seatrial.js ]] && hash node 2>/dev/null || return 1
  local checked
  read -r checked <"$state/node"
  [[ $checked == "${BASH_CMDS[node]}" && ! $checked -nt $state/node ]] || return 1
  [[ -z $(find "$root/src" "$root/scripts/build.mjs" "$root/package.json" "$root/package-lock.json" \
    -newer "$state/built" -print -quit) ]]
}

ensure_bundle() {
  bundle_is_current || one_at_a_time make_bundle
}

# For the checks, which build by themselves so that a build that fails is one of them.
ensure_tools() {
  one_at_a_time make_tools
}

make_tools() {
  check_node
  ensure_packages
}

make_bundle() {
  if bundle_is_current; then return; fi
  make_tools
  # Taken before the build, so that a file saved while it runs counts as newer.
  touch "$state/building"
  node "$root/scripts/build.mjs" >&2 || refuse 'the build failed; the lines above say where'
  mv "$state/building" "$state/built"
}

check_node() {
  hash node 2>/dev/null || refuse 'Node.js is not installed; install version 20.19 or newer (https://nodejs.org)'
  local version
  version=$(node --version)
  [[ $version =~ ^v([0-9]+)\.([0-9]+)\. ]] || refuse "'node --version' gives no version; install Node.js 20.19 or newer"
  local major=${BASH_REMATCH[1]} minor=${BASH_REMATCH[2]}
  if ((major < 20 || (major == 20 && minor < 19))); then
    refuse "Node.js $version is too old; install version 20.19 or newer (https://nodejs.org)"
  fi
  printf '%s\n' "${BASH_CMDS[node]}" >"$state/node"
}

# The lockfile that node_modules was last made from is kept: git touches files, only other contents matter.
ensure_packages() {
  if [[ -d $root/node_modules ]] && cmp -s "$root/package-lock.json" "$state/installed-lock.json"; then return; fi
  hash npm 2>/dev/null || refuse 'npm is not installed; it comes with Node.js (https://nodejs.org)'
  echo 'seatrial: installing npm packages' >&2
  rm -f "$state/installed-lock.json"
  # Not `npm ci`: it refuses a lockfile without the optional packages of other platforms, and not every registry has those.
  # One short retry each: with npm's own ten-second ones, a machine without network would wait for half an hour.
  npm --prefix "$root" install --no-save --include=dev --ignore-scripts --prefer-offline --loglevel=error \
    --fetch-retries=1 --fetch-retry-mintimeout=500 </dev/null >&2 ||
    refuse "'npm install' failed in $(cd "$root" && pwd); the lines above say why"
  cp "$root/package-lock.json" "$state/installed-lock.json"
}

# --- system packages ---

# What the caller needs beyond what every run needs: commands that are called like their packages.
also_needed=()

# True when all was there once and the commands still are. Starts no process.
system_is_current() {
  [[ -e $state/system ]] && hash bwrap socat tmux git "${also_needed[@]}" 2>/dev/null
}

ensure_system() {
  if system_is_current; then return; fi
  find_missing
  if ((${#missing[@]})); then one_at_a_time install_system; fi
  # Where this cannot be kept, the next call looks again.
  { mkdir -p "$state" && : >"$state/system"; } 2>/dev/null || true
}

install_system() {
  find_missing
  if ((${#missing[@]} == 0)); then return; fi
  choose_install_line
  run_install_line
  find_missing
  ((${#missing[@]} == 0)) || refuse "still missing: ${missing[*]}; install them with: $shown_line"
}

# Sets `missing`, by Debian's package names. Pytest is asked of the system's own python, the one that confinement can show.
find_missing() {
  missing=()
  hash bwrap 2>/dev/null || missing+=(bubblewrap)
  hash socat 2>/dev/null || missing+=(socat)
  hash tmux 2>/dev/null || missing+=(tmux)
  hash git 2>/dev/null || missing+=(git)
  /usr/bin/python3 -I -c 'import pytest' 2>/dev/null || missing+=(python3-pytest)
  local name
  for name in "${also_needed[@]}"; do hash "$name" 2>/dev/null || missing+=("$name"); done
}

# Sets `install_line`, what root would run, and `shown_line`, what this user would type.
choose_install_line() {
  local packages="${missing[*]}"
  if hash apt-get 2>/dev/null; then
    install_line="apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $packages"
  elif hash dnf 2>/dev/null; then
    install_line="dnf install -y $packages"
  elif hash pacman 2>/dev/null; then
    install_line="pacman -Sy --needed --noconfirm ${packages/python3-pytest/python-pytest}"
  elif hash apk 2>/dev/null; then
    install_line="apk add ${packages/python3-pytest/py3-pytest}"
  elif hash zypper 2>/dev/null; then
    install_line="zypper --non-interactive install $packages"
  else
    refuse "these system packages are missing and no known package manager is here: $packages (Debian's names)"
  fi
  if ((EUID == 0)); then shown_line=$install_line; else shown_line="sudo sh -c '$install_line'"; fi
}

run_install_line() {
  local sudo=()
  if ((EUID != 0)); then
    hash sudo 2>/dev/null || refuse "system packages are missing; as root, run: $install_line"
    sudo=(sudo)
  fi
  if [[ -t 0 && -t 2 ]]; then
    local answer
    printf 'seatrial: these system packages are missing: %s\nRun "%s" now? [Y/n] ' "${missing[*]}" "$shown_line" >&2
    read -r answer || answer=n
    [[ ${answer:-y} == [yY]* ]] || refuse "nothing was installed; to go on, run: $shown_line"
  else
    # Nobody is there to type a password.
    ((EUID == 0)) || sudo+=(-n)
    printf 'seatrial: installing system packages: %s\n' "${missing[*]}" >&2
  fi
  "${sudo[@]}" sh -c "$install_line" </dev/null >&2 || refuse "installing system packages failed; run: $shown_line"
  hash -r
}

# --- starting node ---

# This variable alone makes every start of node twice as slow; what needs it finds it under its other name.
set_certificates_aside() {
  if [[ -n ${NODE_EXTRA_CA_CERTS-} ]]; then export SEATRIAL_EXTRA_CA_CERTS=$NODE_EXTRA_CA_CERTS; fi
  unset NODE_EXTRA_CA_CERTS
}
