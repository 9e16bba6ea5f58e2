"""Whether the time of a failed authentication tells which clients there are."""
import os
import subprocess

from .processes import LOAD, Processes


def run(options, program):
    """Returns the exit status: 0 it does not, 1 it does, 3 not decided."""
    database = os.path.join(program.folder, "timing.db")
    program.administer(database, "migrate")
    for client in ("gateway", "blocked", "control"):
        program.administer(database, "client", "add", client)
    program.administer(database, "client", "disable", "blocked")
    # Failures are padded to three hashes; four secrets cost one more.
    for _ in range(3):
        program.administer(database, "client", "rotate-secret", "control", "--overlap", "24h")
    with Processes() as processes:
        server, url = program.serve(processes, "timing", database, ["--max-failures", "0"])
        command = [program.benchmarks, "timing", url.rpartition(":")[2], str(server.process.pid), str(options.seconds)]
        return subprocess.run(["taskset", "-c", LOAD, *command], timeout=options.seconds + 60).returncode
