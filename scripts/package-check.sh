# shellcheck shell=bash disable=SC2154
# Looks at a package that scripts/package made, and tries it; that script sources this one.

# expect WHAT COMMAND... : ends the script where the command fails.
expect() {
    "${@:2}" || die "the package is not as it has to be: $1"
    say "ok: $1"
}

holds() { grep -qE -- "$1" "$2"; }
quietly() { "$@" >/dev/null; }

# The unit that docs/operations.md shows is that of the package, but for where the program is.
shown_unit() {
    awk '/^```/ { inside = 0 } inside { print } /^# \/etc\/systemd\/system\/authserver.service$/ { inside = 1 }' \
        "$root/docs/operations.md" | sed 's#/usr/local/bin/#/usr/bin/#'
}

dpkg-deb --contents "$package" >"$folder/contents"
dpkg-deb --field "$package" >"$folder/fields"
expect "docs/operations.md shows its unit" diff <(shown_unit) "$root/packaging/authserver.service"
expect "the program is executable and root's" holds '^-rwxr-xr-x root/root .* ./usr/bin/authserver$' "$folder/contents"
expect "others do not read the configuration" holds '^-rw-r----- root/root .* ./etc/authserver.json5$' "$folder/contents"
expect "nobody but root writes to it" [ -z "$(grep -vE '^[-d]r[-w][-x]r-[-x][r-]-[-x] root/root ' "$folder/contents")" ]
expect "it names the libraries that it links to" \
    holds '^Depends: .*libc6 .*libhiredis.*libmicrohttpd.*libmimalloc.*libsqlite3.*libssl.*adduser$' "$folder/fields"
expect "its scripts are sh's" sh -c 'cd "$1" && for name in postinst prerm postrm; do sh -n "$name" || exit 1; done' \
    sh "$root/packaging"

if ((EUID != 0)); then
    say "not installed: that takes root"
    exit 0
fi
if dpkg-query -W authserver >/dev/null 2>&1 || id authserver >/dev/null 2>&1 || [[ -e /var/lib/authserver ]]; then
    die "authserver is on this machine, and is not touched: --check installs it where it is not"
fi

server=
clean_up() {
    [[ -z $server ]] || stop_process "$server"
    dpkg --purge authserver >/dev/null 2>&1 || true
    if id authserver >/dev/null 2>&1; then deluser --quiet --system authserver >/dev/null 2>&1 || true; fi
    rm -rf /var/lib/authserver "$folder"
}

as_user() { (cd /var/lib/authserver && runuser -u authserver -- "$@"); }
administer() { as_user authserver "$@" --config "$folder/authserver.json5"; }

# The one that is installed, on a port where nothing listens; the user may read it as it may read the other.
configure() {
    free_port port
    sed "s/127.0.0.1:8083/127.0.0.1:$port/" /etc/authserver.json5 >"$folder/authserver.json5"
    chgrp authserver "$folder" "$folder/authserver.json5"
    chmod 750 "$folder" && chmod 640 "$folder/authserver.json5"
}

# serve_a_token : whether the server that is installed hands one out.
serves_a_token() {
    local secret answer
    (cd /var/lib/authserver && exec setpriv --reuid authserver --regid authserver --init-groups \
        authserver serve --config "$folder/authserver.json5" --log-format text 2>"$folder/log") &
    server=$!
    wait_for_url "http://127.0.0.1:$port/readyz" "$server" "$folder/log"
    administer resource show RESOURCE_ID_BOOK >/dev/null 2>&1 \
        || administer resource add RESOURCE_ID_BOOK --scopes read >/dev/null
    secret=$(administer client add "client-$1" --grant RESOURCE_ID_BOOK=read 2>/dev/null)
    answer=$(curl -sS --max-time 10 -u "client-$1:$secret" -d grant_type=client_credentials \
        "http://127.0.0.1:$port/oauth/token")
    stop_process "$server"
    server=
    [[ $answer == '{"access_token":"'* ]] || { cat "$folder/log" >&2 && return 1; }
}

# install_package COMMAND... : installs it with apt-get, as README.md does, or with dpkg.
install_package() { "$@" "$package" >"$folder/dpkg" 2>&1 </dev/null || { cat "$folder/dpkg" >&2 && return 1; }; }

install_packages adduser curl
expect "it is installed" install_package env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends
expect "its user reads the configuration, and others do not" \
    [ "$(stat -c '%a %U:%G' /etc/authserver.json5)" = '640 root:authserver' ]
expect "its user alone enters /var/lib/authserver" \
    [ "$(stat -c '%a %U:%G' /var/lib/authserver)" = '700 authserver:authserver' ]
expect "it says what to do next" holds 'systemctl enable --now authserver' "$folder/dpkg"
expect "nothing is missing that it links to" [ -z "$(ldd /usr/bin/authserver | grep 'not found')" ]
if command -v systemd-analyze >/dev/null; then
    expect "systemd takes its unit" systemd-analyze verify --man=no /usr/lib/systemd/system/authserver.service
fi
link=/etc/systemd/system/multi-user.target.wants/authserver.service enabled=false
expect "it is not enabled by itself" [ ! -L "$link" ]
if command -v systemctl >/dev/null; then
    expect "it can be enabled" quietly systemctl --quiet enable authserver.service
    enabled=true
fi
configure
expect "it serves a token" serves_a_token 1
printf '\n// An administrator was here.\n' >>/etc/authserver.json5
expect "it is installed over itself" install_package dpkg --install
expect "what an administrator wrote is kept" holds '^// An administrator was here' /etc/authserver.json5
expect "it serves a token after that" serves_a_token 2
expect "a client of before is still there" quietly administer client show client-1
expect "it is removed" quietly dpkg --remove authserver
expect "what an administrator wrote is kept then, too" [ -e /etc/authserver.json5 ]
expect "it is installed again" install_package dpkg --install
if $enabled; then expect "it is enabled as before" [ -e "$link" ]; fi
expect "it is purged" quietly dpkg --purge authserver
expect "keys and clients are kept" [ -e /var/lib/authserver/registry.db ]
expect "nothing else is" [ -z "$(find /etc /usr/bin /usr/lib/systemd /usr/share/doc -name 'authserver*')" ]
