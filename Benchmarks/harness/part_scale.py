"""Many clients, many tokens, and a change of the signing key under load."""
import base64
import concurrent.futures
import json
import os
import subprocess
import time

from . import wrk
from .aims import judge
from .authserver import basic
from .client import GRANT, Client, active
from .comparison import median, note, ratio, rounds
from .part_guard import lines
from .processes import SERVER, Processes, fail
from .redis import Redis
from .requests import Subject, compare

COUNTS = (100, 10_000, 1_000_000)


def run(options, program, report):
    registries = Registries(options, program, report)
    registries.fill()
    registries.find()
    registries.serve()
    tokens_in_redis(options, program, report)
    rotation(options, program, report)


class Registries:
    """Registries of a hundred, ten thousand and a million clients."""

    def __init__(self, options, program, report):
        self.options, self.program, self.report = options, program, report
        self.rows = {count: [f"{count:,} clients"] for count in COUNTS}

    def path(self, count, end=".db"):
        return os.path.join(self.program.folder, f"clients-{count}{end}")

    def fill(self):
        for count in COUNTS:
            note(f"registry of {count:,} clients")
            began = time.monotonic()
            lines([self.program.benchmarks, "clients", self.path(count), str(count), self.path(count, ".credentials")])
            seconds = time.monotonic() - began
            self.rows[count] += [seconds, seconds / count * 1e6, os.path.getsize(self.path(count)) / 1e6]

    def find(self):
        words = [word for count in COUNTS for word in (self.path(count), str(count))]
        command = [self.program.benchmarks, "lookup", str(self.options.seconds * 300), *words]
        results = rounds(self.options.rounds, {"lookup": lambda: lines(command)})["lookup"]
        for name, aim in (("lookup", "scale.lookup"), ("lookup of any", "scale.lookup-any"), ("known", None)):
            runs = {count: [{"cpu_us": 1e6 / result[f"{name} {count}"]["per_cpu_second"]} for result in results]
                    for count in COUNTS}
            for count in COUNTS:
                self.rows[count] += [median(runs[count], "cpu_us"), ratio(runs[count], runs[COUNTS[0]], "cpu_us")]
            self.report.runs[name] = runs
            if aim:
                self.report.aim(judge(aim, self.rows[COUNTS[-1]][-1]))

    def serve(self):
        """Any client asks, of a million one of 100,000, after each of them asked once."""
        with Processes() as processes:
            redis = Redis(processes, self.program.folder)
            reply, reply_url = self.program.limit(processes, "reply")
            subjects = [Subject("limit: fixed reply", reply, reply_url, "/", self.script(COUNTS[0]))]
            for count in COUNTS:
                server, url = self.program.serve(processes, f"clients-{count}", self.path(count), ["--redis", redis.url])
                self.rows[count].append(server.resident())
                subjects.append(Subject(f"any of {count:,} clients (100,000 at most)", server, url, "/oauth/token",
                                        self.script(count, at_random=True), redis))
            forgetful, url = self.program.serve(
                processes, "forgetful", self.path(COUNTS[-1]), ["--redis", redis.url, "--max-clients-in-memory", "1"])
            subjects.append(Subject("the same, of which none is remembered", forgetful, url, "/oauth/token",
                                    subjects[-1].script, redis))
            # When all servers are there, since each notes its address in the registry: a change, after which the others
            # read it anew.
            for count, subject in zip(COUNTS, subjects[1:]):
                Subject("", subject.server, subject.url, "/oauth/token", self.script(count), redis).measure(
                    8, self.options.connections)
            runs = compare(self.options, self.report, "token endpoint, many clients", subjects, subjects[1])
            few, many = (runs[subject.name] for subject in (subjects[1], subjects[len(COUNTS)]))
            self.report.aim(judge("scale.token", ratio(many, few, "cpu_us")))
            for count, subject in zip(COUNTS, subjects[1:]):
                self.rows[count].append(subject.server.resident())
        self.report.table(
            "registry", ["import s", "us each", "file MB", "lookup us", "/ 100", "of any us", "/ 100", "known us",
                         "/ 100", "server MB", "under load MB"],
            list(self.rows.values()))

    def script(self, count, at_random=False):
        path = self.path(count, ".forms")
        with open(self.path(count, ".credentials")) as credentials, open(path, "w") as forms:
            forms.writelines(f"{basic(*line.strip().split(':'))}\t{GRANT}\n" for line in credentials)
        name = f"clients-{count}" + ("-random" if at_random else "")
        return wrk.script(self.program.folder, name, wrk.forms(path, at_random))


def tokens_in_redis(options, program, report):
    counts = [1_000_000, 10_000_000] if options.full else [1_000_000]
    rows = []
    for count in counts:
        note(f"{count:,} tokens in Redis")
        with Processes() as processes:
            redis = Redis(processes, program.folder)
            before = int(redis.information("memory")["used_memory"])
            subprocess.run(["taskset", "-c", SERVER, program.benchmarks, "tokens", redis.url, str(count)], check=True,
                           timeout=1200)
            if int(redis.send([["DBSIZE"]])[0].lstrip(":")) != count:
                fail("a token that was recorded is not in Redis")
            memory = redis.information("memory")
            used = int(memory["used_memory"]) - before
            rows.append([f"{count:,} tokens", used / count, used / 1e6, int(memory["used_memory_rss"]) / 1e6])
    report.table("live tokens in Redis", ["bytes each", "MB", "resident MB"], rows)
    report.aim(judge("scale.redis-bytes", max(row[1] for row in rows)))


def rotation(options, program, report):
    """Keys are rotated under load, ten times, and a token of the first key stays good."""
    seconds = max(6, options.seconds)
    with Processes() as processes:
        redis = Redis(processes, program.folder)
        database, authorization = program.registry("rotation")
        server, url = program.serve(processes, "rotation", database, ["--redis", redis.url])
        script = wrk.script(program.folder, "rotation", wrk.form(authorization, GRANT))
        def token():
            with Client(url) as client:
                return client.tokens(authorization, 1)[0]

        def measure():
            return wrk.run(server, url + "/oauth/token", script, seconds, options.connections, allow_failures=True)

        def rotate():
            for _ in range(10):
                time.sleep(seconds / 12)
                program.administer(database, "key", "rotate", "--now")

        first = token()
        measure()
        still = measure()
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            rotations = pool.submit(rotate)
            rotated = measure()
            rotations.result()
        last = token()
        if key_id(first) == key_id(last) or active(url, authorization, [first, last]) < 2:
            fail("keys were not rotated, or a token was lost by it")
    report.table("ten rotations of the signing key under load", ["a second", "p99 us", "p99.9 us", "failed"], [
        [name, run["per_second"], run["p99_us"], run["p999_us"], run["failed"]]
        for name, run in (("no rotation", still), ("rotations", rotated))])
    report.runs["rotation"] = {"still": still, "rotated": rotated}
    report.aim(judge("scale.rotation", rotated["failed"]))


def key_id(token):
    header = token.split(".")[0]
    return json.loads(base64.urlsafe_b64decode(header + "=" * (-len(header) % 4)))["kid"]
