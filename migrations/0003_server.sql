-- What commands have to know of the server that was started last: the issuer that its tokens name, and for how many
-- seconds whoever verifies them may keep its key set. kept_until: a set that was fetched while that was longer may be
-- kept until then, in milliseconds since 1970 UTC; 0 for never. No row before a server was started.
CREATE TABLE server (
    only_row     INTEGER PRIMARY KEY CHECK (only_row = 1),
    issuer       TEXT NOT NULL,
    jwks_max_age INTEGER NOT NULL CHECK (jwks_max_age >= 0),
    kept_until   INTEGER NOT NULL
) STRICT;
