# shellcheck shell=bash disable=SC2034
# What the scripts share; they source it. Bash, with `set -euo pipefail`.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
script=${0##*/}

# What the package links, and what the scripts themselves call.
build_packages=(
    pkg-config libsqlite3-dev libhiredis-dev libssl-dev libmicrohttpd-dev libevent-dev libcurl4-openssl-dev
    libmimalloc-dev
)

say() { printf '%s\n' "$*"; }
warn() { printf '%s: %s\n' "$script" "$*" >&2; }
die() {
    warn "$*"
    exit 1
}

# A proxy of the caller's has nothing to do with servers on this machine.
export no_proxy=127.0.0.1,localhost NO_PROXY=127.0.0.1,localhost

# --- Preparation ---------------------------------------------------------------------------------------------

# install_packages NAME... : installs those Debian packages that are missing.
install_packages() {
    local missing=() package
    if ! command -v dpkg-query >/dev/null; then
        warn "this is no Debian: what is needed is there, or comes from elsewhere: $*"
        return 0
    fi
    for package in "$@"; do
        [[ $(dpkg-query -W -f='${Status}' "$package" 2>/dev/null) == *' installed' ]] || missing+=("$package")
    done
    ((${#missing[@]})) || return 0
    say "installing ${missing[*]}"
    local apt=(env DEBIAN_FRONTEND=noninteractive apt-get)
    if ((EUID != 0)); then
        may_use_sudo || die "installing packages needs root; let an administrator run: apt-get install ${missing[*]}"
        apt=(sudo "${apt[@]}")
    fi
    "${apt[@]}" update -qq || die "apt-get update failed: see above"
    "${apt[@]}" install -y -qq --no-install-recommends "${missing[@]}" </dev/null >/dev/null \
        || die "apt-get could not install ${missing[*]}: see above"
}

# Whether sudo is there, and either needs no password or has a terminal to ask for it.
may_use_sudo() { command -v sudo >/dev/null && { [[ -t 0 ]] || sudo -n true 2>/dev/null; }; }

need_swift() {
    command -v swift >/dev/null \
        || die "there is no swift: install a toolchain of version 6.3 or later, https://www.swift.org/install/linux"
    local version major minor
    version=$(swift --version 2>/dev/null | sed -nE 's/.*Swift version ([0-9]+)\.([0-9]+).*/\1 \2/p' | head -n 1)
    read -r major minor <<<"${version:-0 0}"
    ((major > 6 || (major == 6 && minor >= 3))) || die "swift is too old: version 6.3 or later is needed"
}

# --- Ports ---------------------------------------------------------------------------------------------------

is_free() { ! (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# need_port PORT WHAT OTHERWISE : ends the script when something listens there, and says what, and what else helps.
need_port() {
    is_free "$1" && return
    local user=
    if command -v ss >/dev/null; then
        user=$(ss -Hltnp "sport = :$1" 2>/dev/null | sed -nE 's/.*users:\(\("([^"]*)",pid=([0-9]+).*/\1, process \2/p' | head -n 1)
    fi
    die "port $1, where $2 is to listen, is occupied${user:+ by $user}: end that first, or $3"
}

# free_port NAME : sets the variable NAME to a port where nothing listens, another one at each call.
next_port=$((20000 + $$ % 10000))
free_port() {
    until is_free "$next_port"; do next_port=$((next_port + 1)); done
    printf -v "$1" '%s' "$next_port"
    next_port=$((next_port + 1))
}

# --- Processes -----------------------------------------------------------------------------------------------

# is_running PID
is_running() { kill -0 "$1" 2>/dev/null; }

# stop_process PID : asks it to end, waits 15 s, and then ends it.
stop_process() {
    local tries
    kill -TERM "$1" 2>/dev/null || return 0
    kill -CONT "$1" 2>/dev/null || true
    for ((tries = 0; tries < 150; tries++)); do
        is_running "$1" || break
        sleep 0.1
    done
    if is_running "$1"; then
        warn "process $1 did not end by itself"
        kill -KILL "$1" 2>/dev/null || true
    fi
    wait "$1" 2>/dev/null || true
}

# wait_for_url URL PID LOG : until it answers, or ends the script with the log when it does not within 20 s.
wait_for_url() {
    local tries
    for ((tries = 0; tries < 200; tries++)); do
        curl -sf -o /dev/null --max-time 2 "$1" && return
        is_running "$2" || break
        sleep 0.1
    done
    cat "$3" >&2
    die "nothing answers at $1; its log is above"
}
