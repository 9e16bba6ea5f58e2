"""Verifications a second by ResourceGuard, beside OpenSSL's bare verify and beside other libraries."""
import base64
import json
import os
import subprocess

from . import peers
from .aims import judge
from .comparison import median, note, ratio, rounds
from .processes import LOAD, SERVER, Processes, fail
from .redis import Redis

TOKENS = 200


def lines(command):
    """What a command measured on the processor of what is measured, by name: each a line of JSON."""
    ended = subprocess.run(["taskset", "-c", SERVER, *command], capture_output=True, text=True, timeout=600)
    if ended.returncode != 0:
        fail(f"{command[0]} failed: {ended.stderr or ended.stdout}")
    return {
        line["name"]: {"per_second": line["count"] / line["wall_ns"] * 1e9,
                       "per_cpu_second": line["count"] / line["cpu_ns"] * 1e9}
        for line in map(json.loads, ended.stdout.splitlines())}


def store(redis, path):
    """Puts tokens into the store, as the server does. Returns the keys."""
    commands, keys = [], []
    with open(path) as file:
        for token in file:
            payload = token.split(".")[1]
            claims = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
            keys.append(f"auth:t:{claims['jti']}")
            commands.append(["SET", keys[-1], claims["iat"] * 1000, "PX", 3_600_000])
    redis.send(commands)
    return keys


def redis_limit(redis, key, milliseconds):
    """What redis-benchmark reads with as many commands on their way on one connection."""
    count = max(1, int(milliseconds * 200 / 64)) * 64
    ended = subprocess.run(
        ["taskset", "-c", SERVER, "redis-benchmark", "-p", str(redis.port), "-c", "1", "-P", "64", "-n", str(count),
         "--csv", "MGET", key, "auth:r:gateway"], capture_output=True, text=True, timeout=300)
    if ended.returncode != 0:
        fail(f"redis-benchmark failed: {ended.stderr or ended.stdout}")
    return float(ended.stdout.splitlines()[-1].split(",")[1].strip('"'))


def run(options, program, report):
    files = os.path.join(program.folder, "guard")
    os.makedirs(files)
    subprocess.run([program.benchmarks, "guard-files", files, str(TOKENS)], check=True, timeout=300)
    others = peers.commands(options.cache, files, report.note)
    milliseconds = options.seconds * 1000
    with Processes() as processes:
        redis = Redis(processes, program.folder)
        keys = store(redis, os.path.join(files, "ES256.tokens"))

        def round_of_all():
            found = lines([program.benchmarks, "guard", files, str(milliseconds), redis.url])
            for command in others.values():
                found |= lines([*command, str(milliseconds // 2)])
            rate = redis_limit(redis, keys[0], milliseconds)
            return found | {"redis-benchmark": {"per_second": rate, "per_cpu_second": rate}}

        note("guard")
        results = rounds(options.rounds, {"all": round_of_all})["all"]
    runs = {name: [result[name] for result in results] for name in results[0]}
    report.runs["guard"] = runs
    uncached(report, runs)
    remembered(report, runs)


def uncached(report, runs):
    rows = []
    for algorithm in peers.ALGORITHMS:
        bare, ours = runs[f"bare {algorithm}"], runs[f"guard {algorithm}"]
        share = ratio(ours, bare, "per_cpu_second")
        rows.append([f"limit: bare OpenSSL verify, {algorithm}", median(bare, "per_cpu_second"), 1.0])
        rows.append([f"ResourceGuard, {algorithm}", median(ours, "per_cpu_second"), share])
        for peer, title in (("pyjwt", "PyJWT"), ("joserfc", "joserfc"), ("libjwt", "libjwt")):
            if theirs := runs.get(f"{peer} {algorithm}"):
                rows.append([f"peer: {title}, {algorithm}", median(theirs, "per_cpu_second"),
                             ratio(theirs, bare, "per_cpu_second")])
        report.aim(judge(f"guard.{algorithm}", share))
    report.table("verification, nothing remembered", ["a CPU second", "of limit"], rows)


def remembered(report, runs):
    cached, checked, limit = runs["guard cached"], runs["guard with Redis"], runs["redis-benchmark"]
    report.table("verification, remembered, one processor", ["a second", "of limit"], [
        ["ResourceGuard, remembered token", median(cached, "per_second"), None],
        ["limit: redis-benchmark, MGET, 64 on their way", median(limit, "per_second"), 1.0],
        ["ResourceGuard, remembered token, Redis check, 64 at once", median(checked, "per_second"),
         ratio(checked, limit, "per_second")]])
    report.aim(judge("guard.cached", median(cached, "per_second")))
    report.aim(judge("guard.redis", median(checked, "per_second")))
