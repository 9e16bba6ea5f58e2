-- The embedded token store: which tokens are known, and from when on a client's tokens are revoked.

CREATE TABLE tokens (
    jti        TEXT PRIMARY KEY,
    -- Milliseconds since 1970: what a revocation is compared with.
    issued_at  INTEGER NOT NULL,
    -- Seconds since 1970, as in the token.
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX tokens_by_end ON tokens (expires_at);

CREATE TABLE client_revocations (
    client_id  TEXT PRIMARY KEY,
    -- Milliseconds since 1970.
    revoked_at INTEGER NOT NULL,
    -- Seconds since 1970.
    keep_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
