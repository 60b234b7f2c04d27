# Sourced by ./seatrial and ./test with `root` set to their directory: installs and builds what is missing.
# Messages go to stderr, because stdout belongs to the command. Apart from system packages, it writes only below .build/, dist/ and
# node_modules/.

state=$root/.build

# Prints one sentence and exits with the code for a missing tool.
refuse() {
  printf 'seatrial: %s\n' "$1" >&2
  exit 2
}

# Concurrent calls take turns; the later ones find the work done.
one_at_a_time() {
  local lock
  { mkdir -p "$state" && exec {lock}>"$state/setup.lock"; } 2>/dev/null ||
    refuse "$(cd "$root" && pwd) is not set up yet and is not writable for you; its owner must run ./seatrial --version there first"
  if hash flock 2>/dev/null; then flock "$lock"; fi
  "$@"
  exec {lock}>&-
}

# --- node, npm packages, the bundle ---

# True when the bundle is newer than its sources and node is still the one that was checked. Starts one process.
bundle_is_current() {
  [[ -e $state/built && -r $state/node && -f $root/dist/seatrial.js && -f $root/dist/needs-system ]] && hash node 2>/dev/null || return 1
  local checked
  read -r checked <"$state/node"
  [[ $checked == "${BASH_CMDS[node]}" && ! $checked -nt $state/node ]] || return 1
  [[ -z $(find "$root/src" "$root/scripts/build.mjs" "$root/package.json" "$root/package-lock.json" \
    -newer "$state/built" -print -quit) ]]
}

ensure_bundle() {
  bundle_is_current || one_at_a_time make_bundle
}

# For ./test, which runs the build as one of its checks.
ensure_tools() {
  one_at_a_time make_tools
}

make_tools() {
  check_node
  ensure_packages || refuse "'npm install' failed in $(cd "$root" && pwd); the lines above say why"
}

make_bundle() {
  if bundle_is_current; then return; fi
  check_node
  if ! ensure_packages; then
    restore_bundle && return
    refuse "'npm install' failed in $(cd "$root" && pwd); the lines above say why"
  fi
  # Before the build, so that a file saved during the build counts as newer.
  touch "$state/building"
  node "$root/scripts/build.mjs" >&2 || refuse 'the build failed; the lines above say where'
  mv "$state/building" "$state/built"
  if [[ -f $root/.git && $(<"$root/.git") == */modules/* ]]; then keep_bundle; fi
}

# --- the machine's cache of built programs, by commit ---

# Sets `cached` to the place of this clone's commit in it. False: this is no clone, or its files are not those of the commit.
find_cached() {
  cached=
  [[ -e $root/.git ]] && hash git 2>/dev/null || return 1
  local commit
  commit=$(git -C "$root" rev-parse --verify --quiet HEAD) || return 1
  [[ -z $(git -C "$root" status --porcelain --untracked-files=no --ignore-submodules) ]] || return 1
  cached=${XDG_CACHE_HOME:-$HOME/.cache}/seatrial/engines/$commit
}

# Without network: the program that was built from the same commit elsewhere on this machine.
restore_bundle() {
  find_cached && [[ -f $cached/dist/seatrial.js ]] || return 1
  echo "seatrial: using what was built from the same commit, in $cached" >&2
  mkdir -p "$root/dist" && cp -R "$cached/dist/." "$root/dist/" && touch "$state/built"
}

# A pinned Seatrial, which is a submodule, is kept for others of its commit.
keep_bundle() {
  find_cached && [[ ! -e $cached ]] || return 0
  { mkdir -p "$cached.$$" && cp -R "$root/dist" "$cached.$$/" && mv "$cached.$$" "$cached"; } 2>/dev/null || rm -rf "$cached.$$"
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

# Compares contents with the last installed lockfile: git changes modification times.
ensure_packages() {
  if [[ -d $root/node_modules ]] && cmp -s "$root/package-lock.json" "$state/installed-lock.json"; then return; fi
  hash npm 2>/dev/null || refuse 'npm is not installed; it comes with Node.js (https://nodejs.org)'
  echo 'seatrial: installing npm packages' >&2
  rm -f "$state/installed-lock.json"
  # Not `npm ci`: it refuses a lockfile without the optional packages of other platforms, and not every registry has those.
  # One short retry each: with npm's own ten-second ones, a machine without network would wait for half an hour.
  npm --prefix "$root" install --no-save --include=dev --ignore-scripts --prefer-offline --loglevel=error \
    --fetch-retries=1 --fetch-retry-mintimeout=500 </dev/null >&2 || return 1
  cp "$root/package-lock.json" "$state/installed-lock.json"
}

# --- system packages ---

# Commands that the caller needs beyond those of every run. Each has the name of its package.
also_needed=()

# True when these arguments call a command that starts engines or tests. The build writes the list from src/cli/commands.ts: a command
# a line, alone, with a word that must be among the arguments, or with @ and a package that is needed too. Starts no process.
needs_system() {
  local command word argument
  for argument in "$@"; do
    if [[ $argument == --help || $argument == -h ]]; then return 1; fi
  done
  while read -r command word; do
    if [[ ${1-} != "$command" ]]; then continue; fi
    if [[ -z $word ]]; then return 0; fi
    if [[ $word == @* ]]; then
      also_needed+=("${word#@}")
      return 0
    fi
    for argument in "${@:2}"; do
      if [[ $argument == "$word" || $argument == "$word="* ]]; then return 0; fi
    done
  done <"$root/dist/needs-system"
  return 1
}

# True when everything was found once and the commands are still there. Starts no process.
system_is_current() {
  [[ -e $state/system ]] && hash bwrap socat git "${also_needed[@]}" 2>/dev/null
}

ensure_system() {
  if system_is_current; then return; fi
  find_missing
  if ((${#missing[@]})); then one_at_a_time install_system; fi
  # If this cannot be written, the next call looks again.
  { mkdir -p "$state" && : >"$state/system"; } 2>/dev/null || true
}

install_system() {
  find_missing
  if ((${#missing[@]} == 0)); then return; fi
  choose_install_line
  case ${SEATRIAL_SETUP-} in
    [nN][oO] | 0 | false | off)
      refuse "system packages are missing (${missing[*]}) and SEATRIAL_SETUP=$SEATRIAL_SETUP forbids installing them; run: $shown_line"
      ;;
  esac
  run_install_line
  find_missing
  ((${#missing[@]} == 0)) || refuse "still missing: ${missing[*]}; install them with: $shown_line"
}

# Sets `missing` to Debian's package names. Looks for pytest in the system's python, the only one that a sandbox can show.
find_missing() {
  missing=()
  hash bwrap 2>/dev/null || missing+=(bubblewrap)
  hash socat 2>/dev/null || missing+=(socat)
  hash git 2>/dev/null || missing+=(git)
  /usr/bin/python3 -I -c 'import pytest' 2>/dev/null || missing+=(python3-pytest)
  local name
  for name in "${also_needed[@]}"; do
    # The one package that is not called like its program.
    hash "${name/openssh-client/ssh-keygen}" 2>/dev/null || missing+=("$name")
  done
}

# Sets `install_line`, the command for root, and `shown_line`, the command for this user.
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
    refuse "these system packages are missing and no known package manager was found: $packages (Debian's names)"
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
    [[ ${answer:-y} == [yY]* ]] || refuse "nothing was installed; to continue, run: $shown_line"
  else
    # Without a terminal no password can be typed.
    ((EUID == 0)) || sudo+=(-n)
    printf 'seatrial: installing system packages: %s\n' "${missing[*]}" >&2
  fi
  "${sudo[@]}" sh -c "$install_line" </dev/null >&2 || refuse "installing system packages failed; run: $shown_line"
  hash -r
}

# --- start node ---

# NODE_EXTRA_CA_CERTS doubles the start-up time of node, so it is passed under another name to the few processes that need it.
set_certificates_aside() {
  if [[ -n ${NODE_EXTRA_CA_CERTS-} ]]; then export SEATRIAL_EXTRA_CA_CERTS=$NODE_EXTRA_CA_CERTS; fi
  unset NODE_EXTRA_CA_CERTS
}
