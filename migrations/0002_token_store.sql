-- Where the server that was started last keeps tokens, without a password: a command that was told of another
-- store would change nothing that counts, and says so instead. No row before a server was started.
CREATE TABLE token_store (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    place    TEXT NOT NULL
) STRICT;
