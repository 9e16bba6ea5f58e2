"""Tables for people, and all of it as JSON."""
import json


def number(value):
    """Three digits that count, and none that do not."""
    if value is None:
        return "–"
    if isinstance(value, str):
        return value
    if value == 0 or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def exact(value):
    """As far as it decides whether an aim is met."""
    return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"


class Report:
    """What was measured: tables, aims, and every run."""

    def __init__(self):
        self.tables, self.aims, self.runs, self.notes = [], [], {}, []

    def table(self, title, columns, rows):
        """Prints rows of a name and one figure a column."""
        texts = [[row[0], *map(number, row[1:])] for row in rows]
        name_width = max(len(text[0]) for text in texts)
        widths = [max(len(column), *(len(text[index + 1]) for text in texts)) for index, column in enumerate(columns)]
        print(f"\n{title}")
        print(" " * name_width, *(column.rjust(width) for column, width in zip(columns, widths)), sep="  ")
        for text in texts:
            print(text[0].ljust(name_width), *(cell.rjust(width) for cell, width in zip(text[1:], widths)), sep="  ",
                  flush=True)
        self.tables.append({"title": title, "columns": columns, "rows": rows})

    def aim(self, judged):
        self.aims.append(judged)

    def note(self, text):
        print(text, flush=True)
        self.notes.append(text)

    def finish(self, path):
        if self.aims:
            print("\naims")
        for aim in self.aims:
            print(f"{'met   ' if aim['met'] else 'MISSED'}  {aim['aim']}: {exact(aim['value'])}, aim {aim['bound']}")
        if path:
            with open(path, "w") as file:
                json.dump(
                    {"tables": self.tables, "aims": self.aims, "notes": self.notes, "runs": self.runs}, file, indent=1)
