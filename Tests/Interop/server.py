"""The real authserver in a directory of its own, on a free port; ended by its id."""

import os
import re
import subprocess
import tempfile
import time


class Server:
    """Starts the program that AUTHSERVER names."""

    def __init__(self):
        self.program = os.environ["AUTHSERVER"]
        self._directory = tempfile.TemporaryDirectory(prefix="authserver-interop-")
        self.log = os.path.join(self._directory.name, "log")
        self._environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("AUTHSERVER_")},
            "AUTHSERVER_DATABASE": os.path.join(self._directory.name, "authserver.db"),
        }
        self._log_file = open(self.log, "wb")
        self._process = subprocess.Popen(
            [self.program, "serve", "--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0",
             "--log-format", "json"],
            env=self._environment, stdin=subprocess.DEVNULL, stdout=self._log_file, stderr=self._log_file)
        self.metrics, self.issuer = self._wait_for_addresses()

    def _wait_for_addresses(self):
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and self._process.poll() is None:
            with open(self.log, encoding="utf-8") as log:
                found = re.search(r"metrics are at ([^\s\"]+).*listening on \S+ as (\S+?),", log.read(), re.DOTALL)
            if found:
                return found.groups()
            time.sleep(0.01)
        self.stop()
        raise RuntimeError("authserver does not start")

    def command(self, *arguments, text=""):
        """Runs a subcommand, which is given a text; what it prints on standard output."""
        done = subprocess.run(
            [self.program, *arguments], env=self._environment, input=text, encoding="utf-8",
            capture_output=True, timeout=60, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"authserver {' '.join(arguments)}: {done.stderr}")
        return done.stdout.strip()

    def stop(self):
        """Ends the process in good order; its exit status."""
        self._process.terminate()
        status = self._process.wait(timeout=20)
        self._log_file.close()
        self._directory.cleanup()
        return status
