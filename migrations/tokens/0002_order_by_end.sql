-- Tokens in the order of their end. Those that are issued together end together, so a commit of many touches few
-- pages, where it touched one for each token before; what has expired is one range, at the beginning.

CREATE TABLE tokens_in_order (
    -- Seconds since 1970, as in the token.
    expires_at INTEGER NOT NULL,
    jti        TEXT NOT NULL,
    -- Milliseconds since 1970: what a revocation is compared with.
    issued_at  INTEGER NOT NULL,
    PRIMARY KEY (expires_at, jti)
) STRICT, WITHOUT ROWID;

INSERT INTO tokens_in_order (expires_at, jti, issued_at)
    SELECT expires_at, jti, issued_at FROM tokens ORDER BY expires_at, jti;

DROP TABLE tokens;
ALTER TABLE tokens_in_order RENAME TO tokens;
