"""Processes that are measured: started on one processor, looked at from outside, and ended by their ids."""
import os
import signal
import socket
import subprocess
import time

SERVER, LOAD = "0", "1"
"""The processor of what is measured, and that of what asks it: the load, Redis."""


class Failure(Exception):
    """A figure could not be measured."""


def fail(text):
    """Ends the part that is measured."""
    raise Failure(text)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Process:
    """A process with a log, pinned to processors."""

    def __init__(self, folder, name, command, processors=SERVER):
        self.name, self.log_path = name, os.path.join(folder, name.replace("/", "-") + ".log")
        with open(self.log_path, "ab") as log:
            # taskset becomes the command: the process id is that of what is measured.
            self.process = subprocess.Popen(
                ["taskset", "-c", processors, *command], stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=folder)

    def await_port(self, port):
        for _ in range(1000):
            if listens(port):
                return self
            if self.process.poll() is not None:
                break
            time.sleep(0.01)
        self.stop()
        fail(f"{self.name} does not listen on port {port}:\n{self.log_tail()}")

    def cpu(self):
        """Seconds of processor time of all its threads, in nanoseconds' resolution (see clock_getcpuclockid(3))."""
        return time.clock_gettime(~self.process.pid << 3 | 2)

    def resident(self):
        """Resident memory in MB."""
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6

    def log_tail(self):
        with open(self.log_path, errors="replace") as file:
            return "".join(file.readlines()[-10:])

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Processes:
    """What was started; all of it is ended when the block is left."""

    def __init__(self):
        self.all = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in reversed(self.all):
            process.stop()

    def start(self, folder, name, command, port=None, processors=SERVER):
        process = Process(folder, name, command, processors)
        self.all.append(process)
        return process.await_port(port) if port else process
