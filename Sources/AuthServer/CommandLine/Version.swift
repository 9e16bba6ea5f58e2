/// The version of the program, as `--version` prints it.
let version = "0.1.0"
