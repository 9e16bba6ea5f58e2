#!/usr/bin/env bash
# Tries clients written by others on the real server, in a Python environment of their own.
# The program is the one that the build made, or the one that AUTHSERVER names.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root"

python=.build/venv/bin/python wanted=Tests/Interop/requirements.txt installed=.build/venv/installed.txt
[[ -x $python ]] || python3 -m venv .build/venv
cmp -s "$wanted" "$installed" || {
    "$python" -m pip install --quiet --disable-pip-version-check -r "$wanted"
    cp "$wanted" "$installed"
}

: "${AUTHSERVER:=$(swift build --show-bin-path)/authserver}"
[[ -x $AUTHSERVER ]] || {
    printf '%s is not there: swift build --product authserver\n' "$AUTHSERVER" >&2
    exit 1
}
# A proxy of the caller's has nothing to do with a server on this machine.
export AUTHSERVER no_proxy=127.0.0.1,localhost NO_PROXY=127.0.0.1,localhost PYTHONDONTWRITEBYTECODE=1
exec timeout 600 "$python" -m unittest discover -v -s Tests/Interop
