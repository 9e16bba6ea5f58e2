"""What the fault scripts share: real processes in a directory of their own, requests, and a report.

A script says what is promised, does the damage, and says what was seen; it ends with status 0 only if every promise
was kept, with 1 if not, and with 77 where it cannot run here. It ends by itself, and ends the processes it started,
by their ids. Set AUTHSERVER to try another executable than that of the debug build.
"""
import atexit
import base64
import concurrent.futures
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
AUTHSERVER = os.environ.get("AUTHSERVER", os.path.join(ROOT, ".build", "debug", "authserver"))
SHORT = "--short" in sys.argv
SKIPPED = 77
CLIENT = "gateway"
RESOURCE = "RESOURCE_ID_BOOK"
# How long a recovery may take: the longest pause between two attempts to connect, and some.
RECOVERY = 8

folder = tempfile.mkdtemp(prefix="authserver-fault.")
processes = []
failures = []


def clean_up():
    for process in reversed(processes):
        if process.poll() is None:
            process.send_signal(signal.SIGCONT)
            process.kill()
            process.wait()
    shutil.rmtree(folder, ignore_errors=True)


def start(seconds, promise):
    """Begins a script that may run so many seconds."""
    atexit.register(clean_up)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    signal.signal(signal.SIGALRM, lambda *_: sys.exit(f"the script took more than {seconds} s"))
    signal.alarm(seconds)
    for line in promise.strip().splitlines():
        print("promised:", line.strip())
    if not os.access(AUTHSERVER, os.X_OK):
        sys.exit(f"{AUTHSERVER} is not there: swift build --product authserver")


def skip(why):
    print("skipped:", why)
    sys.exit(SKIPPED)


def see(text):
    print("seen:", text, flush=True)


def check(kept, text):
    """Notes whether a promise was kept."""
    print("kept:  " if kept else "BROKEN:", text, flush=True)
    if not kept:
        failures.append(text)
    return kept


def finish(*servers):
    if failures:
        for server in servers:
            print(server.log_tail())
        sys.exit(1)
    sys.exit(0)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def eventually(seconds, condition):
    """Waits until a condition holds; the seconds that it took, or None."""
    began = time.monotonic()
    while time.monotonic() - began < seconds:
        if condition():
            return time.monotonic() - began
        time.sleep(0.05)
    return None


def spawn(command, log, **options):
    with open(log, "ab") as output:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, **options)
    processes.append(process)
    return process


class Answer:
    def __init__(self, status, fields, body, seconds):
        self.status, self.fields, self.body, self.seconds = status, fields, body, seconds

    @property
    def json(self):
        try:
            return json.loads(self.body)
        except ValueError:
            return {}

    @property
    def token(self):
        return self.json.get("access_token") if self.status == 200 else None

    @property
    def is_outage(self):
        """503 that says when to come back, and is an error of OAuth."""
        return (self.status == 503 and self.fields.get("retry-after", "").isdigit()
                and self.json.get("error") == "temporarily_unavailable")

    def __str__(self):
        return f"{self.status} in {self.seconds:.2f} s"


class Client:
    """A connection that is kept; opened again when it was lost."""

    def __init__(self, server, seconds=10):
        self.server, self.connection, self.timeout = server, None, seconds

    def send(self, method, path, form=None):
        if self.connection is None:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=self.timeout)
        fields = {}
        body = None
        if form is not None:
            body = urllib.parse.urlencode(form)
            fields = {"Content-Type": "application/x-www-form-urlencoded", "Authorization": self.server.basic}
        began = time.monotonic()
        try:
            self.connection.request(method, path, body, fields)
            response = self.connection.getresponse()
            content = response.read()
        except (OSError, http.client.HTTPException):
            self.close()
            raise
        headers = {name.lower(): value for name, value in response.getheaders()}
        if response.will_close:
            self.close()
        return Answer(response.status, headers, content, time.monotonic() - began)

    def token(self):
        return self.send("POST", "/oauth/token", {"grant_type": "client_credentials"})

    def introspect(self, token):
        return self.send("POST", "/oauth/introspect", {"token": token})

    def close(self):
        if self.connection is not None:
            self.connection.close()
        self.connection = None


class Server:
    """authserver with a registry of one client, on one port for its whole life."""

    def __init__(self, redis=None, directory=None, environment=None, arguments=(), **options):
        self.directory = directory or tempfile.mkdtemp(dir=folder)
        self.database = os.path.join(self.directory, "registry.db")
        self.port = free_port()
        self.environment = {"PATH": os.environ["PATH"], "AUTHSERVER_DATABASE": self.database, **(environment or {})}
        if redis:
            self.environment["AUTHSERVER_REDIS"] = redis.url
        self.arguments, self.options = list(arguments), options
        self.log = os.path.join(tempfile.mkdtemp(dir=folder), "authserver.log")
        self.process = None
        self.admin("migrate")
        self.admin("resource", "add", RESOURCE, "--scopes", "read,write")
        self.secret = self.admin("client", "add", CLIENT, "--grant", f"{RESOURCE}=read").stdout.strip()
        self.basic = "Basic " + base64.b64encode(f"{CLIENT}:{self.secret}".encode()).decode()

    def admin(self, *arguments, expected=(0,)):
        result = subprocess.run([AUTHSERVER, *arguments], env=self.environment, text=True, timeout=30,
                                stdin=subprocess.DEVNULL, capture_output=True)
        if expected is not None and result.returncode not in expected:
            sys.exit(f"authserver {' '.join(arguments)} ended with {result.returncode}: {result.stderr}")
        return result

    def start(self):
        self.process = spawn([AUTHSERVER, "serve", "--listen", f"127.0.0.1:{self.port}", *self.arguments],
                             self.log, env=self.environment, **self.options)
        if eventually(20, self.answers) is None:
            sys.exit("the server does not start:\n" + self.log_tail())
        return self

    def answers(self, path="/healthz"):
        try:
            client = Client(self, 5)
            answer = client.send("GET", path)
            client.close()
            return answer.status == 200
        except (OSError, http.client.HTTPException):
            return False

    def is_ready(self):
        return self.answers("/readyz")

    def is_ready_throughout(self):
        """Each thread has a connection to the store of its own: as many new connections as find all of them."""
        return all(self.is_ready() for _ in range(20))

    def issues(self):
        try:
            client = Client(self, 5)
            answer = client.token()
            client.close()
            return answer.status == 200
        except (OSError, http.client.HTTPException):
            return False

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.terminate()
        return self.process.wait(20)

    def is_running(self):
        return self.process.poll() is None

    def resident(self):
        """The resident memory in MiB."""
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20

    def log_tail(self):
        with open(self.log, errors="replace") as file:
            return "--- the end of the server's log\n" + "".join(file.readlines()[-15:])


class Redis:
    """redis-server on one port; `command` speaks to it in its own words."""

    def __init__(self, *arguments):
        if shutil.which("redis-server") is None:
            skip("redis-server is not here: apt-get install redis-server")
        self.port = free_port()
        self.directory = tempfile.mkdtemp(dir=folder)
        self.arguments = arguments
        self.url = f"redis://127.0.0.1:{self.port}"
        self.process = None
        self.start()

    def start(self):
        self.process = spawn(
            ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", self.directory,
             *self.arguments], os.path.join(self.directory, "log"))
        if eventually(20, self.answers) is None:
            sys.exit("redis-server does not start")

    def answers(self):
        try:
            return self.command("PING") == "+PONG"
        except OSError:
            return False

    def command(self, *words):
        """The first line of the reply."""
        request = f"*{len(words)}\r\n" + "".join(f"${len(word.encode())}\r\n{word}\r\n" for word in words)
        with socket.create_connection(("127.0.0.1", self.port), timeout=5) as connection:
            connection.sendall(request.encode())
            return connection.makefile("r").readline().rstrip("\r\n")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def freeze(self):
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self):
        self.process.send_signal(signal.SIGCONT)


class Load:
    """Clients that ask for tokens one after the other, each on a connection of its own, until it is stopped."""

    def __init__(self, server, clients=8):
        self.server = server
        self.tokens, self.answers, self.lost = [], {}, 0
        self.slowest = 0
        self.lock = threading.Lock()
        self.is_over = threading.Event()
        self.threads = [threading.Thread(target=self.run, daemon=True) for _ in range(clients)]
        for thread in self.threads:
            thread.start()

    def run(self):
        client = Client(self.server)
        while not self.is_over.is_set():
            try:
                answer = client.token()
            except (OSError, http.client.HTTPException):
                with self.lock:
                    self.lost += 1
                time.sleep(0.02)
                continue
            with self.lock:
                self.answers[answer.status] = self.answers.get(answer.status, 0) + 1
                self.slowest = max(self.slowest, answer.seconds)
                if answer.token:
                    self.tokens.append(answer.token)
            if answer.status != 200:
                time.sleep(0.02)
        client.close()

    def stop(self):
        self.is_over.set()
        for thread in self.threads:
            thread.join(20)
        return self


def introspect_all(server, tokens, clients=4):
    """How many of the tokens have which status: active, inactive, or the status of an answer that is no 200."""
    counts = {}

    def ask(part):
        client, found = Client(server), []
        for token in part:
            answer = client.introspect(token)
            found.append(answer.status if answer.status != 200
                         else "active" if answer.json.get("active") is True else "inactive")
        client.close()
        return found

    with concurrent.futures.ThreadPoolExecutor(clients) as pool:
        for found in pool.map(ask, [tokens[number::clients] for number in range(clients)]):
            for status in found:
                counts[status] = counts.get(status, 0) + 1
    return counts


def all_active(server, tokens, what):
    counts = introspect_all(server, tokens)
    return check(counts.get("active", 0) == len(tokens), f"{what}: {len(tokens)} tokens, {counts}")
