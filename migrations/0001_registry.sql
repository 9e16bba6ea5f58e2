-- The registry: who may get tokens, for what, and the keys that sign them.
-- All moments are milliseconds since 1970 UTC; all durations are seconds.

CREATE TABLE clients (
    id             INTEGER PRIMARY KEY,
    client_id      TEXT NOT NULL UNIQUE,
    name           TEXT NOT NULL,
    token_lifetime INTEGER NOT NULL DEFAULT 3600 CHECK (token_lifetime BETWEEN 1 AND 86400),
    -- NULL: either method.
    auth_method    TEXT CHECK (auth_method IN ('client_secret_basic', 'client_secret_post')),
    created_at     INTEGER NOT NULL,
    updated_at     INTEGER NOT NULL,
    disabled_at    INTEGER
) STRICT;

CREATE TABLE client_secrets (
    id         INTEGER PRIMARY KEY,
    -- Names a secret to a person; says nothing about it.
    secret_id  TEXT NOT NULL UNIQUE,
    client     INTEGER NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
    kind       TEXT NOT NULL CHECK (kind IN ('sha256', 'scrypt')),
    salt       BLOB NOT NULL,
    hash       BLOB NOT NULL,
    scrypt_n   INTEGER,
    scrypt_r   INTEGER,
    scrypt_p   INTEGER,
    created_at INTEGER NOT NULL,
    not_before INTEGER NOT NULL,
    expires_at INTEGER,
    CHECK ((kind = 'scrypt') = (scrypt_n IS NOT NULL AND scrypt_r IS NOT NULL AND scrypt_p IS NOT NULL))
) STRICT;
CREATE INDEX client_secrets_by_client ON client_secrets (client);
CREATE INDEX client_secrets_brought ON client_secrets (id) WHERE kind = 'scrypt';

CREATE TABLE resources (
    id          INTEGER PRIMARY KEY,
    resource_id TEXT NOT NULL UNIQUE,
    -- The client that may introspect tokens meant for the resource.
    owner       INTEGER REFERENCES clients (id) ON DELETE SET NULL,
    created_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX resources_by_owner ON resources (owner);

CREATE TABLE resource_scopes (
    resource INTEGER NOT NULL REFERENCES resources (id) ON DELETE CASCADE,
    scope    TEXT NOT NULL,
    PRIMARY KEY (resource, scope)
) STRICT, WITHOUT ROWID;

CREATE TABLE grants (
    client   INTEGER NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
    resource INTEGER NOT NULL,
    scope    TEXT NOT NULL,
    PRIMARY KEY (client, resource, scope),
    FOREIGN KEY (resource, scope) REFERENCES resource_scopes (resource, scope) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX grants_by_scope ON grants (resource, scope);

CREATE TABLE signing_keys (
    id           INTEGER PRIMARY KEY,
    kid          TEXT NOT NULL UNIQUE,
    algorithm    TEXT NOT NULL CHECK (algorithm IN ('ES256', 'EdDSA', 'RS256', 'PS256')),
    -- PKCS#8, sealed with AES-256-GCM where is_encrypted; erased when the key is retired.
    private_key  BLOB,
    is_encrypted INTEGER NOT NULL CHECK (is_encrypted IN (0, 1)),
    created_at   INTEGER NOT NULL,
    activates_at INTEGER NOT NULL,
    retired_at   INTEGER,
    CHECK (private_key IS NOT NULL OR retired_at IS NOT NULL)
) STRICT;

-- By name and without a foreign key: it outlives a removed client, until its last token has ended.
CREATE TABLE client_revocations (
    client_id  TEXT PRIMARY KEY,
    revoked_at INTEGER NOT NULL,
    keep_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The longest lifetime that any token may have been issued with. It never falls, so that a superseded key stays
-- published until its last token has ended, also when lifetimes were lowered or clients removed since.
CREATE TABLE longest_token_lifetime (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    seconds  INTEGER NOT NULL
) STRICT;
INSERT INTO longest_token_lifetime VALUES (1, 3600);

CREATE TRIGGER longest_token_lifetime_of_new_client AFTER INSERT ON clients
BEGIN
    UPDATE longest_token_lifetime SET seconds = max(seconds, NEW.token_lifetime);
END;
CREATE TRIGGER longest_token_lifetime_of_changed_client AFTER UPDATE OF token_lifetime ON clients
BEGIN
    UPDATE longest_token_lifetime SET seconds = max(seconds, NEW.token_lifetime);
END;
