-- What a server's thread needs of a client that it does not know, in one record found in one B-tree. The tables it comes
-- from are five: the index of client_id, clients, the index of client_secrets by client, client_secrets and grants. Among
-- a million clients each of them costs more than a microsecond of waiting for memory.
--
-- A record is a second copy: the tables are the truth, and client_record_of is what the record of each client must say.
-- So that no writer can forget it, triggers note with every change whose record is out of date, and readers then take
-- client_record_of instead. Who changes the registry writes these records again at the end of its transaction, once for
-- each client: triggers that did so took as long again as importing a client does. (REPLACE deletes rows without calling
-- triggers, and is not used.)

CREATE TABLE client_records (
    client_id      TEXT PRIMARY KEY,
    client         INTEGER NOT NULL,
    disabled_at    INTEGER,
    token_lifetime INTEGER NOT NULL,
    auth_method    TEXT,
    -- A line a secret: id, not_before, expires_at, scrypt_n, scrypt_r, scrypt_p (each empty for NULL), salt and hash in
    -- hexadecimal, secret_id. A line a grant: resource_id, scope. A space is between them, a line feed after each line.
    secrets        TEXT NOT NULL,
    grants         TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The clients whose record is missing or out of date.
CREATE TABLE stale_client_records (
    client INTEGER PRIMARY KEY
) STRICT;

CREATE VIEW client_record_of (client_id, client, disabled_at, token_lifetime, auth_method, secrets, grants) AS
    SELECT client_id, id, disabled_at, token_lifetime, auth_method,
        ifnull((
            SELECT group_concat(
                s.id || ' ' || not_before || ' ' || ifnull(expires_at, '') || ' ' || ifnull(scrypt_n, '') || ' '
                    || ifnull(scrypt_r, '') || ' ' || ifnull(scrypt_p, '') || ' ' || hex(salt) || ' ' || hex(hash) || ' '
                    || secret_id || char(10), '')
            FROM client_secrets s WHERE s.client = clients.id), ''),
        ifnull((
            SELECT group_concat(resource_id || ' ' || scope || char(10), '')
            FROM grants g JOIN resources o ON o.id = g.resource WHERE g.client = clients.id), '')
    FROM clients;

INSERT INTO client_records SELECT * FROM client_record_of ORDER BY client_id;

CREATE TRIGGER client_record_of_new_client AFTER INSERT ON clients
BEGIN
    INSERT OR IGNORE INTO stale_client_records VALUES (NEW.id);
END;
CREATE TRIGGER client_record_of_changed_client
AFTER UPDATE OF id, client_id, disabled_at, token_lifetime, auth_method ON clients
BEGIN
    DELETE FROM client_records WHERE client_id = OLD.client_id AND (client_id <> NEW.client_id OR client <> NEW.id);
    INSERT OR IGNORE INTO stale_client_records VALUES (NEW.id);
END;
CREATE TRIGGER client_record_of_removed_client AFTER DELETE ON clients
BEGIN
    DELETE FROM client_records WHERE client_id = OLD.client_id;
END;

CREATE TRIGGER client_record_with_new_secret AFTER INSERT ON client_secrets
BEGIN
    INSERT OR IGNORE INTO stale_client_records VALUES (NEW.client);
END;
CREATE TRIGGER client_record_with_changed_secret AFTER UPDATE ON client_secrets
BEGIN
    INSERT OR IGNORE INTO stale_client_records VALUES (OLD.client), (NEW.client);
END;
CREATE TRIGGER client_record_without_removed_secret AFTER DELETE ON client_secrets
BEGIN
    INSERT OR IGNORE INTO stale_client_records VALUES (OLD.client);
END;

CREATE TRIGGER client_record_with_new_grant AFTER INSERT ON grants
BEGIN
    INSERT OR IGNORE INTO stale_client_records VALUES (NEW.client);
END;
CREATE TRIGGER client_record_with_changed_grant AFTER UPDATE ON grants
BEGIN
    INSERT OR IGNORE INTO stale_client_records VALUES (OLD.client), (NEW.client);
END;
CREATE TRIGGER client_record_without_removed_grant AFTER DELETE ON grants
BEGIN
    INSERT OR IGNORE INTO stale_client_records VALUES (OLD.client);
END;
CREATE TRIGGER client_record_of_renamed_resource AFTER UPDATE OF id, resource_id ON resources
BEGIN
    INSERT OR IGNORE INTO stale_client_records SELECT client FROM grants WHERE resource = NEW.id;
END;

-- As before, but no write where nothing changes, which is for nearly every new client.
DROP TRIGGER longest_token_lifetime_of_new_client;
CREATE TRIGGER longest_token_lifetime_of_new_client AFTER INSERT ON clients
BEGIN
    UPDATE longest_token_lifetime SET seconds = NEW.token_lifetime WHERE seconds < NEW.token_lifetime;
END;
