#pragma once
#include <sqlite3.h>

/// Tells SQLite not to count the memory that it takes; before its first use in the process.
static inline int csqlite_forgo_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/// Tells SQLite to leave the write-ahead log as it is when this connection is the last that is closed.
static inline int csqlite_forgo_last_checkpoint(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
