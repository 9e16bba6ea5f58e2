"""Servers that answer requests, compared under load."""
from . import wrk
from .comparison import medians, note, ratio, rounds
from .processes import LOAD

COLUMNS = ["CPU us", "a second", "p50 us", "p99 us", "p99.9 us", "CPU/limit", "rate/limit", "p99/limit"]


class Subject:
    """Something that answers requests; with a Redis that begins each run empty, where its store does not matter."""

    def __init__(self, name, server, url, path, script, redis=None):
        self.name, self.server, self.url, self.path, self.script = name, server, url, path, script
        self.redis, self.processors = redis, LOAD

    def measure(self, seconds, connections):
        if self.redis:
            self.redis.empty()
        return wrk.run(self.server, self.url + self.path, self.script, seconds, connections, self.processors)


def compare(options, report, title, subjects, limit, connections=None, seconds=None):
    """Measures subjects in turns and prints their table. The first is the fixed reply; `limit` is what the others are
    measured by. Returns the runs by name."""
    connections, seconds = connections or options.connections, seconds or options.seconds
    note(title)
    for subject in subjects:
        subject.measure(1, connections)
    runs = rounds(options.rounds, {
        subject.name: lambda subject=subject: subject.measure(seconds, connections) for subject in subjects})
    of_reply, of_limit = runs[subjects[0].name], runs[limit.name]
    columns, rows = COLUMNS if of_reply is of_limit else [*COLUMNS, "CPU/reply"], []
    for name, of in runs.items():
        figures = medians(of)
        rows.append([name, figures["cpu_us"], figures["per_second"], figures["p50_us"], figures["p99_us"],
                     figures["p999_us"], ratio(of, of_limit, "cpu_us"), ratio(of, of_limit, "per_second"),
                     ratio(of, of_limit, "p99_us"), ratio(of, of_reply, "cpu_us")][:len(columns) + 1])
    report.table(title, columns, rows)
    report.runs[title] = runs
    return runs
