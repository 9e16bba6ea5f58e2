"""Figures beside their limits: measured in turns, round by round, and compared within a round."""
import statistics
import sys


def note(text):
    print(text, file=sys.stderr, flush=True)


def rounds(count, subjects):
    """Calls each of the subjects once a round. Returns what they gave, by name, a list with an entry a round."""
    results = {name: [] for name in subjects}
    for number in range(count):
        note(f"  round {number + 1} of {count}")
        for name, measure in subjects.items():
            results[name].append(measure())
    return results


def median(runs, figure):
    return statistics.median(run[figure] for run in runs)


def medians(runs):
    return {figure: median(runs, figure) for figure in runs[0]}


def ratio(runs, limits, figure):
    """The median of the rounds' ratios: what a machine does for some seconds is in both halves of one."""
    return statistics.median(run[figure] / limit[figure] for run, limit in zip(runs, limits))
