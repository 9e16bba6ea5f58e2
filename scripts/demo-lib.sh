# shellcheck shell=bash disable=SC2154
# How scripts/demo runs processes, sends requests and checks answers; scripts/demo sources it. Needs `folder`.

declare -A pids=()
passed=0 failed=0
status='' elapsed=''

chapter() { printf '\n== %s\n' "$*"; }

# --- Processes -----------------------------------------------------------------------------------------------

# start NAME COMMAND... : in the background, its output in $folder/NAME.log.
start() {
    local name=$1
    shift
    "$@" >>"$folder/$name.log" 2>&1 </dev/null &
    pids[$name]=$!
    say "   $name runs: process ${pids[$name]}"
}

# stop NAME
stop() {
    stop_process "${pids[$1]}"
    unset "pids[$1]"
    say "   $1 is stopped"
}

# kill_hard NAME : as a crash would end it.
kill_hard() {
    kill -KILL "${pids[$1]}"
    wait "${pids[$1]}" 2>/dev/null || true
    unset "pids[$1]"
    say "   $1 is killed"
}

# Ends what still runs, those that depend on others first, and removes what was written.
clean_up() {
    local result=$? name
    trap - EXIT INT TERM
    for name in gateway book review authserver redis; do
        [[ -z ${pids[$name]-} ]] || stop_process "${pids[$name]}"
    done
    rm -rf "$folder"
    exit "$result"
}

# --- Requests ------------------------------------------------------------------------------------------------

# admin WORD... : runs authserver. A secret that it prints goes into $folder/CLIENT.secret.
admin() {
    say "\$ authserver $*"
    if [[ $1 == client && $2 == add ]]; then
        "$bin/authserver" "$@" >"$folder/$3.secret" 2>"$folder/note"
        printf 'user = "%s:%s"\n' "$3" "$(<"$folder/$3.secret")" >"$folder/$3.curl"
        say "   (the secret is kept in a file here)"
    else
        "$bin/authserver" "$@" >"$folder/note" 2>&1
        sed 's/^/   /' "$folder/note"
    fi
}

# token CLIENT SERVER CURL-ARGUMENT... : asks for a token, which is kept for `get`. The secret stays out of the
# command line, which other users can read.
token() {
    local client=$1 server=$2
    shift 2
    say "\$ curl -u $client:... -d grant_type=client_credentials${*:+ $*} $server/oauth/token"
    send -K "$folder/$client.curl" -d grant_type=client_credentials "$@" "$server/oauth/token"
    [[ $status != 200 ]] || printf 'Authorization: Bearer %s\n' \
        "$(sed -E 's/.*"access_token":"([^"]*)".*/\1/' "$folder/body")" >"$folder/$client.token"
}

# get URL [CLIENT] : with the token that CLIENT got last.
get() {
    if (($# == 1)); then
        say "\$ curl '$1'"
        send "$1"
    else
        say "\$ curl -H 'Authorization: Bearer <token of $2>' '$1'"
        send -H "@$folder/$2.token" "$1"
    fi
}

# send CURL-ARGUMENT... : sets status and elapsed, and shows the answer.
send() {
    : >"$folder/headers"
    : >"$folder/body"
    read -r status elapsed < <(curl -sS --globoff --max-time 20 -D "$folder/headers" -o "$folder/body" \
        -w '%{http_code} %{time_total}\n' "$@") || true
    show_answer
}

# The answer without its tokens.
show_answer() {
    printf '   %s' "${status:-no answer}"
    printf '%s\n' " in ${elapsed:-?} s"
    tr -d '\r' <"$folder/headers" | grep -iE '^(www-authenticate|retry-after|cache-control|allow):' \
        | sed 's/^/   /' || true
    sed -E 's/("access_token":")[^"]*"/\1..."/; s/^/   /' "$folder/body"
    [[ ! -s $folder/body ]] || echo
}

# retry SECONDS [--body TEXT] COMMAND... : a request, again until its status is 200 and its body has the text.
retry() {
    local end=$((SECONDS + $1)) text=
    shift
    [[ $1 != --body ]] || { text=$2 && shift 2; }
    "$@"
    until { [[ $status == 200 ]] && grep -qF -- "$text" "$folder/body"; } || ((SECONDS >= end)); do
        sleep 0.5
        "$@"
    done
}

# --- Checks --------------------------------------------------------------------------------------------------

# check WHAT COMMAND... : passes when the command does.
check() {
    local what=$1
    shift
    if "$@"; then
        printf '   PASS %s\n' "$what"
        passed=$((passed + 1))
    else
        printf '   FAIL %s\n' "$what"
        failed=$((failed + 1))
    fi
}

expect_status() { check "status $1" test "$status" = "$1"; }
expect_body() { check "body has $1" grep -qF -- "$1" "$folder/body"; }
expect_no_body() { check "body has no $1" lacks "$1"; }
lacks() { ! grep -qF -- "$1" "$folder/body"; }
expect_reviews() { check "$1 reviews" test "$(grep -o '"reviewText"' "$folder/body" | wc -l)" -eq "$1"; }
expect_within() { check "within $1 s" awk -v time="$elapsed" -v limit="$1" 'BEGIN { exit !(time != "" && time < limit) }'; }
expect_log() { check "$1 says: $2" grep -qF -- "$2" "$folder/$1.log"; }
expect_same_process() { check "$1 still runs: process ${pids[$1]}" is_running "${pids[$1]}"; }

# expect_header NAME [TEXT] : that it is there, and holds the text.
expect_header() { check "$1: ${2-is there}" has_header "$1" "${2-}"; }
has_header() { grep -i "^$1:" "$folder/headers" | grep -qF -- "$2"; }
