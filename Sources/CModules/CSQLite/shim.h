#pragma once
#include <sqlite3.h>

/// Tells SQLite not to count the memory that it takes; before its first use in the process.
static inline int csqlite_forgo_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
