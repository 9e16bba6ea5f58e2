-- Who changed the registry, what and when: rows are added in the transaction of the change that they tell of, and stay
-- as they are until they are 400 days old. By name and without foreign keys to the rest: they outlive what they tell of.
-- Never a secret, a hash, a token or a key. No AUTOINCREMENT: a row of the highest number that there can be, however it
-- came there, would hinder every change from then on.

-- What was changed together: when, in milliseconds since 1970 UTC, and by whom.
CREATE TABLE change_sets (
    id  INTEGER PRIMARY KEY,
    at  INTEGER NOT NULL,
    who TEXT NOT NULL
) STRICT;

CREATE TABLE changes (
    number      INTEGER PRIMARY KEY,
    change_set  INTEGER NOT NULL,
    -- What was done, such as client.add.
    what        TEXT NOT NULL,
    -- To what: the client, the resource, and the id of the secret, key or token; NULL where it has none.
    client_id   TEXT,
    resource_id TEXT,
    object_id   TEXT,
    -- More of it, as a JSON object; NULL where there is nothing to say.
    detail      TEXT
) STRICT;

CREATE TRIGGER change_sets_stay_as_they_are BEFORE UPDATE ON change_sets
BEGIN
    SELECT RAISE(ABORT, 'the record of a change stays as it is');
END;
CREATE TRIGGER changes_stay_as_they_are BEFORE UPDATE ON changes
BEGIN
    SELECT RAISE(ABORT, 'the record of a change stays as it is');
END;
