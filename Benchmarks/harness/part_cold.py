"""From exec to the first answer, memory, the size of the binary; with --full, a build from a clean checkout."""
import os
import shutil
import socket
import statistics
import subprocess
import tempfile
import time

from . import wrk
from .aims import judge
from .client import GRANT
from .comparison import note
from .processes import SERVER, Processes, fail, free_port
from .redis import Redis

STARTS = 15


def run(options, program, report):
    with Processes() as processes:
        redis = Redis(processes, program.folder)
        first_answer(program, report, redis)
        memory(options, program, report, redis)
    binary(program, report)
    if options.full:
        clean_build(options, program, report)


def first_answer(program, report, redis):
    """A new process each time, with a registry that is there; from before it is started to its first token."""
    note("cold starts")
    database, authorization = program.registry("cold")
    subjects = {
        "limit: the engine with a fixed reply": lambda port: [program.benchmarks, "reply", str(port)],
        "authserver, Redis store": lambda port: serve(program, port, database, "--redis", redis.url),
        "authserver, SQLite store": lambda port: serve(program, port, database),
    }
    times = {name: [] for name in subjects}
    for _ in range(STARTS + 1):
        for name, command in subjects.items():
            port = free_port()
            times[name].append(milliseconds_to_answer(program.folder, command(port), port, authorization))
    rows = [[name, statistics.median(of[1:]), min(of[1:]), max(of[1:])] for name, of in times.items()]
    report.table(f"exec to first token, ms, {STARTS} starts", ["median", "least", "most"], rows)
    report.runs["cold"] = times
    report.aim(judge("cold.first-token", max(row[1] for row in rows[1:])))


def serve(program, port, database, *arguments):
    return [program.authserver, "serve", "--listen", f"127.0.0.1:{port}", "--database", database, *arguments]


def milliseconds_to_answer(folder, command, port, authorization):
    request = (f"POST /oauth/token HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: {authorization}\r\n"
               f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(GRANT)}\r\n\r\n{GRANT}").encode()
    with open(os.path.join(folder, "cold.log"), "ab") as log, Processes() as processes:
        began = time.monotonic()
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=folder)
        processes.all.append(Started(process))
        while time.monotonic() - began < 20:
            with socket.socket() as connection:
                connection.settimeout(10)
                if connection.connect_ex(("127.0.0.1", port)) == 0:
                    connection.sendall(request)
                    answer = connection.recv(4096)
                    ended = time.monotonic()
                    if not answer.startswith(b"HTTP/1.1 200"):
                        fail(f"the first answer of {command[0]} is {answer[:60]}")
                    return (ended - began) * 1000
            time.sleep(0.0002)
    fail(f"{' '.join(command)} does not answer")


class Started:
    """A process that is ended with the others."""

    def __init__(self, process):
        self.process = process

    def stop(self):
        self.process.terminate()
        self.process.wait(15)


def memory(options, program, report, redis):
    database, authorization = program.registry("memory")
    script = wrk.script(program.folder, "memory", wrk.form(authorization, GRANT))
    rows = []
    for name, arguments in (("Redis store", ["--redis", redis.url]), ("SQLite store", [])):
        with Processes() as processes:
            server, url = program.serve(processes, f"memory-{name}", database, arguments)
            wrk.run(server, url + "/oauth/token", script, 1, 1)
            idle = server.resident()
            most = [load(server, url, script, options.seconds, connections) for connections in (64, 512)]
            rows.append([name, idle, *most])
    report.table("resident memory, MB, one thread", ["idle", "64 connections", "512 connections"], rows)
    report.aim(judge("cold.idle", max(row[1] for row in rows)))
    report.aim(judge("cold.loaded", max(max(row[2:]) for row in rows)))


def load(server, url, script, seconds, connections):
    """The most memory while requests are answered: the kernel's high-water mark, set back before."""
    with open(f"/proc/{server.process.pid}/clear_refs", "w") as file:
        file.write("5")
    wrk.run(server, url + "/oauth/token", script, seconds, connections)
    with open(f"/proc/{server.process.pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM:")) * 1024 / 1e6


def binary(program, report):
    stripped = os.path.join(program.folder, "stripped")
    shutil.copy(program.authserver, stripped)
    rows = [["authserver", os.path.getsize(stripped) / 1e6]]
    if shutil.which("strip"):
        subprocess.run(["strip", stripped], check=True)
        rows.append(["authserver, stripped", os.path.getsize(stripped) / 1e6])
    report.table("size of the binary, Swift's libraries linked statically", ["MB"], rows)


def clean_build(options, program, report):
    note("a clean checkout is built")
    with tempfile.TemporaryDirectory(dir=program.folder) as folder:
        subprocess.run(["git", "clone", "--quiet", options.root, folder], check=True)
        began = time.monotonic()
        subprocess.run(["swift", "build", "-c", "release", "--static-swift-stdlib", "--product", "authserver"], cwd=folder,
                       check=True, capture_output=True, timeout=3600)
        report.table("build of a clean checkout, release", ["s"], [["swift build", time.monotonic() - began]])
