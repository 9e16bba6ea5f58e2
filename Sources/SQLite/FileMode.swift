internal import CSQLite
internal import Glibc
internal import OperatingSystem

/// The permissions of database files, which hold keys and hashes: for their owner alone.
public enum FileMode {
    /// Makes an empty file of mode 0600 unless something is there. SQLite gives the `-wal` and `-shm` files
    /// the mode of the database.
    static func createPrivate(_ path: String) throws(SQLiteError) {
        guard path != ":memory:" else { return }
        // Only a file that was not there is opened and closed: closing one that SQLite has open in this process
        // would drop its locks.
        let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            close(descriptor)
            return
        }
        let reason = SystemError.last
        guard reason.code != EEXIST else { return }
        throw SQLiteError(
            code: SQLITE_CANTOPEN, message: "\(path) cannot be made: \(reason)", sql: nil, reason: reason.code
        )
    }

    /// Refuses what is there and no regular file: a device, a pipe (which would hang), a folder.
    static func requireRegularFile(_ path: String) throws(SQLiteError) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
        throw SQLiteError(
            code: SQLITE_CANTOPEN, message: "\(path) is no regular file: name a database file", sql: nil)
    }

    /// Takes the permissions of group and others from a database file and its `-wal` and `-shm` files.
    public static func makePrivate(_ path: String) {
        for name in [path, path + "-wal", path + "-shm"] {
            var status = stat()
            guard stat(name, &status) == 0, status.st_mode & 0o077 != 0 else { continue }
            chmod(name, status.st_mode & 0o700)
        }
    }
}
