"""authserver with a registry of its own, one client and one resource."""
import base64
import json
import os
import subprocess

from .processes import SERVER, free_port

RESOURCE = "RESOURCE_ID_BOOK"
CLIENT = "gateway"


def basic(client, secret):
    return "Basic " + base64.b64encode(f"{client}:{secret}".encode()).decode()


class Program:
    """The executables under test and the folder in which they work."""

    def __init__(self, build, folder):
        self.build, self.folder = build, folder
        self.authserver = os.path.join(build, "authserver")
        self.benchmarks = os.path.join(build, "Benchmarks")

    def administer(self, database, *arguments, text=None):
        ended = subprocess.run(
            [self.authserver, *arguments, "--database", database, "--json"], capture_output=True, text=True, timeout=60,
            input=text or "", check=True)
        return json.loads(ended.stdout) if ended.stdout else None

    def registry(self, name, algorithm="ES256"):
        """A new registry. Returns its path and the client's Authorization value."""
        database = os.path.join(self.folder, name + ".db")
        self.administer(database, "migrate")
        self.administer(database, "resource", "add", RESOURCE, "--scopes", "read,write")
        added = self.administer(database, "client", "add", CLIENT, "--grant", f"{RESOURCE}=read,write")
        if algorithm != "ES256":
            self.administer(database, "key", "rotate", "--now", "--algorithm", algorithm)
        return database, basic(CLIENT, added["client_secret"])

    def serve(self, processes, name, database, arguments=(), threads=1, processors=SERVER, scheme="http"):
        """Starts a server. Returns its process and its URL."""
        port = free_port()
        process = processes.start(
            self.folder, name,
            [self.authserver, "serve", "--listen", f"127.0.0.1:{port}", "--threads", str(threads), "--database", database,
             *arguments], port, processors)
        return process, f"{scheme}://127.0.0.1:{port}"

    def limit(self, processes, *words, tls=(), scheme="http"):
        """Starts a limit of the Benchmarks executable: `reply`, or `signature` and an algorithm."""
        port = free_port()
        process = processes.start(
            self.folder, " ".join(words), [self.benchmarks, *words, str(port), *tls], port)
        return process, f"{scheme}://127.0.0.1:{port}"
