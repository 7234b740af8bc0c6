#!/usr/bin/env python3
"""How fast is driftline beside other structural differs, on the same pages, in the same run?

usage: scripts/peers/race.py FOLDER [--elements 281,500,1000] [--pairs 3] [--rounds 3] [--no-difftastic]

FOLDER (outside the project) gets the peers, installed by name, and the pages; a second run uses them
again. A peer that cannot be installed is left out and named. All take turns, round after round;
numbers are CPU time, medians over rounds and pairs. Two tables: the work alone (parsing both pages
included), and whole processes, start and output included.
"""

import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys

PROJECT = pathlib.Path(__file__).resolve().parents[2]
TIMED = pathlib.Path(__file__).with_name("timed.py")
# Two environments: EDGI's differ needs an lxml built against the system's libxml2 (libxml2-dev, libxslt1-dev).
ENVIRONMENTS = {
    "plain": [["lxml", "lxml_html_clean", "xmldiff"]],
    "edgi": [["web-monitoring-diff"], ["--no-binary", "lxml", "--force-reinstall", "--no-deps", "lxml<6"]],
}
REPEATS = 200


def tell(text):
    print(text, file=sys.stderr, flush=True)


def run(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, cwd=PROJECT, **options)


def pythons(folder):
    """The interpreters of the environments that could be installed."""
    for name, installs in ENVIRONMENTS.items():
        home, done = folder / name, folder / f"{name}.installed"
        try:
            if not done.exists():
                tell(f"installing {name} …")
                run(sys.executable, "-m", "venv", home)
                for packages in installs:
                    run(home / "bin/pip", "install", "--quiet", *packages)
                done.touch()
            yield home / "bin/python"
        except subprocess.CalledProcessError as error:
            tell(f"left out: environment {name}: {error}")


def difftastic(folder):
    binary = folder / "cargo/bin/difft"
    try:
        if not binary.exists():
            tell("installing difftastic (some minutes) …")
            run("cargo", "install", "--quiet", "--locked", "difftastic", "--root", folder / "cargo")
        return binary
    except subprocess.CalledProcessError as error:
        tell(f"left out: difftastic: {error}")
        return None


def driftline():
    """The bench that only works, and the command."""
    build = ["cargo", "bench", "-p", "driftline-evaluation", "--bench", "regions_beside_peers", "--no-run"]
    lines = run(*build, "--message-format=json", stdout=subprocess.PIPE).stdout.splitlines()
    bench = next(found for line in lines if (found := json.loads(line).get("executable")))
    run("cargo", "build", "--profile", "dist", "-p", "driftline-cli")
    return bench, pathlib.Path(bench).parents[2] / "dist/driftline"


def cpu(*command):
    """CPU milliseconds of one process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1e3 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def table(title, times, sizes, ours):
    print(f"\n{title}")
    print(f"{'ms of CPU':<44}" + "".join(f"{size:>12}" for size in sizes) + f"{'x driftline':>14}")
    median = {differ: [statistics.median(by_size[size]) for size in sizes] for differ, by_size in times.items()}
    for differ, values in sorted(median.items(), key=lambda entry: entry[1][-1]):
        ratio = values[-1] / median[ours][-1]
        print(f"{differ:<44}" + "".join(f"{value:>12.2f}" for value in values) + f"{ratio:>14.1f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--elements", default="281,500,1000")
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--no-difftastic", action="store_true")
    options = parser.parse_args()
    folder, sizes = options.folder.resolve(), options.elements.split(",")
    pages = folder / "pages"
    pages.mkdir(parents=True, exist_ok=True)
    for page in pages.glob("*.html"):
        page.unlink()

    bench, command = driftline()
    interpreters = list(pythons(folder))
    difft = None if options.no_difftastic else difftastic(folder)
    for size in sizes:
        run(bench, "write", pages, size, options.pairs)
    older = sorted(pages.glob("*.old.html"))
    work, processes = {}, {}

    def note(times, differ, pair, milliseconds):
        times.setdefault(differ, {}).setdefault(pair.split("-")[0], []).append(milliseconds)

    for turn in range(options.rounds):
        tell(f"round {turn + 1} of {options.rounds}, load {os.getloadavg()[0]:.1f}")
        for old in older:
            pair, new = old.name.split(".")[0], old.with_name(old.name.replace(".old.", ".new."))
            spent = cpu(bench, "repeat", REPEATS, old, new) - cpu(bench, "repeat", 0, old, new)
            note(work, "driftline", pair, spent / REPEATS)
            note(processes, "driftline diff", pair, cpu(command, "diff", old, new))
            if difft:
                note(processes, "difftastic", pair, cpu(difft, "--color", "never", old, new))
        for python in interpreters:
            lines = run(python, TIMED, pages, stdout=subprocess.PIPE).stdout.splitlines()
            for line in map(json.loads, lines):
                note(work, line["differ"], line["pair"], line["ms"])
    table("the work alone, both pages parsed; pages of so many elements, 5 % of the words edited", work, sizes, "driftline")
    table("whole processes", processes, sizes, "driftline diff")


if __name__ == "__main__":
    main()
