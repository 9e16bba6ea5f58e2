"""The token endpoint beside the same engine with a fixed reply, and that with one plain signature."""
import os
import subprocess
import time

from . import wrk
from .aims import judge
from .authserver import RESOURCE, basic
from .comparison import median, ratio
from .processes import LOAD, SERVER, Processes
from .redis import Redis
from .requests import Subject, compare

GRANT = "grant_type=client_credentials&scope=read"
PATH = "/oauth/token"
CLOSE = 'wrk.headers["Connection"] = "close"\n'


class Token:
    def __init__(self, options, program, report):
        self.options, self.program, self.report = options, program, report

    def script(self, name, authorization="Basic eDp4", more=""):
        return wrk.script(self.program.folder, name, wrk.form(authorization, GRANT, more))

    def limits(self, processes, algorithm="ES256", more="", **options):
        script = self.script("limit", more=more)
        reply = self.program.limit(processes, "reply", **options)
        signature = self.program.limit(processes, "signature", algorithm, **options)
        return [Subject("limit: fixed reply", *reply, PATH, script),
                Subject(f"limit: reply and a plain {algorithm} signature", *signature, PATH, script)]

    def server(self, processes, name, algorithm="ES256", redis=None, more="", arguments=(), **options):
        database, authorization = self.program.registry(name.replace(" ", "-"), algorithm)
        store = ["--redis", redis.url] if redis else ["--sqlite-synchronous", "full"]
        server, url = self.program.serve(processes, name, database, [*store, *arguments], **options)
        return Subject(name, server, url, PATH, self.script(name, authorization, more), redis)

    def compare(self, title, subjects, connections=None, seconds=None):
        """The two limits come first."""
        return compare(self.options, self.report, title, subjects, subjects[1], connections, seconds)

    # --- What is measured ---

    def stores(self):
        with Processes() as processes:
            redis = Redis(processes, self.program.folder)
            limits = self.limits(processes)
            subjects = [*limits, self.server(processes, "token, Redis", redis=redis),
                        self.server(processes, "token, SQLite FULL")]
            runs = self.compare(f"token endpoint, ES256, {self.options.connections} connections", subjects)
            limit, of_redis, of_sqlite = (runs[subject.name] for subject in subjects[1:])
            self.report.aim(judge("token.redis.cpu", ratio(of_redis, limit, "cpu_us")))
            self.report.aim(judge("token.redis.rate", ratio(of_redis, limit, "per_second")))
            self.report.aim(judge("token.redis.p99", ratio(of_redis, limit, "p99_us")))
            self.report.aim(judge("token.sqlite.cpu", ratio(of_sqlite, limit, "cpu_us")))
            self.report.aim(judge("token.sqlite.rate", median(of_sqlite, "per_second")))
            self.report.note(f"a flush to this disk takes {flush_milliseconds(self.program.folder):.2f} ms")
            for connections in (1, 512):
                self.compare(f"token endpoint, ES256, connections: {connections}", subjects, connections)

    def algorithms(self):
        for algorithm in ("EdDSA", "RS256"):
            with Processes() as processes:
                redis = Redis(processes, self.program.folder)
                self.compare(f"token endpoint, {algorithm}, {self.options.connections} connections", [
                    *self.limits(processes, algorithm),
                    self.server(processes, f"token {algorithm}, Redis", algorithm, redis)])

    def closing(self):
        # Each request takes a port, which is free again after a second at the earliest: short runs are enough.
        with Processes() as processes:
            redis = Redis(processes, self.program.folder)
            self.compare("token endpoint, ES256, Connection: close", [
                *self.limits(processes, more=CLOSE),
                self.server(processes, "token closing, Redis", redis=redis, more=CLOSE)], seconds=1)

    def tls(self):
        certificate, key = (os.path.join(self.program.folder, name) for name in ("certificate.pem", "key.pem"))
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key,
             "-out", certificate, "-days", "2", "-subj", "/CN=127.0.0.1"], check=True, capture_output=True)
        with Processes() as processes:
            redis = Redis(processes, self.program.folder)
            self.compare(f"token endpoint, ES256, over TLS, {self.options.connections} connections", [
                *self.limits(processes, tls=(certificate, key), scheme="https"),
                self.server(processes, "token TLS, Redis", redis=redis, scheme="https",
                            arguments=["--tls-certificate", certificate, "--tls-key", key])])

    def brought_secret(self):
        """A generated secret is the limit here; both clients are those of one server."""
        with Processes() as processes:
            redis = Redis(processes, self.program.folder)
            generated = self.server(processes, "generated secret", redis=redis)
            secret = "brought-by-an-administrator-0123456789"
            database = os.path.join(self.program.folder, "generated-secret.db")
            self.program.administer(database, "client", "add", "app", "--grant", f"{RESOURCE}=read,write",
                                    "--secret-stdin", text=secret)
            brought = Subject("brought secret", generated.server, generated.url, PATH,
                              self.script("brought", basic("app", secret)), redis)
            [reply] = self.limits(processes)[:1]
            runs = self.compare("token endpoint, a secret that an administrator brought, from the second request on",
                                [reply, generated, brought])
            self.report.aim(judge(
                "token.brought.cpu", ratio(runs[brought.name], runs[generated.name], "cpu_us")))

    def threads(self):
        """Load, Redis and the server share both processors here: what counts is CPU, and that two do more."""
        with Processes() as processes:
            redis = Redis(processes, self.program.folder)
            both = f"{SERVER},{LOAD}"
            subjects = []
            for threads in (1, 2):
                subject = self.server(processes, f"threads: {threads}, Redis", redis=redis, threads=threads,
                                      processors=both)
                subject.processors = both
                subjects.append(subject)
            [reply] = self.limits(processes)[:1]
            reply.processors = both
            self.compare("token endpoint, one thread and two, everything on both processors", [reply, *subjects])


def flush_milliseconds(folder):
    """How long it takes until a page that is appended to a file is on the disk."""
    times = []
    with open(os.path.join(folder, "flush"), "wb") as file:
        for _ in range(200):
            file.write(b"x" * 4096)
            file.flush()
            began = time.monotonic()
            os.fdatasync(file.fileno())
            times.append((time.monotonic() - began) * 1000)
    return sorted(times)[100]


def run(options, program, report):
    part = Token(options, program, report)
    part.stores()
    part.algorithms()
    part.closing()
    part.tls()
    part.brought_secret()
    part.threads()
