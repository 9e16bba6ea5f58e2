internal import SQLite

/// Spares SQLite counting the memory that it takes, a tenth of what it does. For an executable's first line: it holds
/// for the whole process, which a library must not decide.
package func forgoSQLiteMemoryStatistics() { Connection.forgoMemoryStatistics() }
