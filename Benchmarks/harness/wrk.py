"""Load by wrk: the scripts that it runs, and what it says afterwards."""
import json
import os
import subprocess

from .processes import LOAD, fail

# Runs once, at the end; latencies are in microseconds. Errors are answers that are no success, and broken connections.
DONE = """
function done(summary, latency, requests)
    local errors = summary.errors
    io.write(string.format(
        'RESULT {"requests": %d, "microseconds": %d, "p50": %d, "p99": %d, "p999": %d, "refused": %d, "broken": %d}\\n',
        summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), latency:percentile(99.9),
        errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
"""

FORM = 'wrk.method = "POST"\nwrk.headers["Content-Type"] = "application/x-www-form-urlencoded"\n'


def script(folder, name, text):
    """A script for wrk: what it sends is set up by `text`."""
    path = os.path.join(folder, name.replace("/", "-") + ".lua")
    with open(path, "w") as file:
        file.write(text + DONE)
    return path


def form(authorization, body, more=""):
    """The same POST again and again."""
    return f'{FORM}wrk.body = "{body}"\nwrk.headers["Authorization"] = "{authorization}"\n{more}'


def forms(path, at_random=False):
    """One POST after the other, or any: each line of the file is an Authorization value, a tab, a body."""
    choice = "math.random(#requests)" if at_random else "next % #requests + 1"
    return f"""{FORM}
local requests, next = {{}}, 0
function init()
    math.randomseed(os.time())
    for line in io.lines("{path}") do
        wrk.headers["Authorization"] = line:match("^[^\\t]*")
        requests[#requests + 1] = wrk.format("POST", nil, nil, line:match("\\t(.*)$"))
    end
end
function request()
    next = {choice}
    return requests[next]
end
"""


def run(server, url, path, seconds, connections, processors=LOAD, allow_failures=False):
    """Load on a server for some seconds: what each request cost it, and how long it took."""
    before = server.cpu()
    ended = subprocess.run(
        ["taskset", "-c", processors, "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "10s", "-s", path,
         url], capture_output=True, text=True, timeout=seconds + 60)
    cpu = server.cpu() - before
    lines = [line for line in ended.stdout.splitlines() if line.startswith("RESULT ")]
    if ended.returncode != 0 or not lines:
        fail(f"wrk failed at {server.name}: {ended.stderr or ended.stdout}")
    result = json.loads(lines[0].removeprefix("RESULT "))
    failed = result["refused"] + result["broken"]
    if result["requests"] == 0 or failed and not allow_failures:
        fail(f"{server.name}: {failed} of {result['requests']} requests failed\n{server.log_tail()}")
    return {
        "cpu_us": cpu / result["requests"] * 1e6, "per_second": result["requests"] / result["microseconds"] * 1e6,
        "p50_us": result["p50"], "p99_us": result["p99"], "p999_us": result["p999"], "failed": failed,
    }
