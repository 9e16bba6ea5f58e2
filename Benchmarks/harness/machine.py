"""The machine that measures: what it is, and what else it does."""
import os
import time


def processor():
    with open("/proc/cpuinfo") as file:
        for line in file:
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return "unknown processor"


def busy(seconds=2):
    """The share of the processors' time that others take, in percent; to be asked while nothing is measured."""
    def ticks():
        with open("/proc/stat") as file:
            fields = [int(field) for field in file.readline().split()[1:]]
        return sum(fields[:8]), fields[3] + fields[4]

    (all_before, idle_before) = ticks()
    time.sleep(seconds)
    (all_after, idle_after) = ticks()
    return 100 * (1 - (idle_after - idle_before) / max(1, all_after - all_before))


def description():
    others = busy()
    quiet = "" if others < 5 else ": NOT quiet, so that times and rates say little; ratios say more"
    return f"{len(os.sched_getaffinity(0))} processors, {processor()}; others keep them busy for {others:.0f} %{quiet}"
