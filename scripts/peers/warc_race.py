#!/usr/bin/env python3
"""How fast does driftline read and index archives beside FastWARC, warcio and cdxj-indexer, in the same run?

usage: scripts/peers/warc_race.py FOLDER FILE.warc.gz... [--rounds 5]

FOLDER (outside the project) gets the peers, installed by name; a second run uses them again. A peer that cannot
be installed is left out and named. All take turns, round after round; numbers are the best round, in megabytes
of the packed file a second: of CPU time, and of time on the clock for driftline with two threads. Two tables:
reading (all records, the heads of HTTP, the payloads), and indexing (CDXJ). Start of processes is included, so
files should have 50 MB or more.
"""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import time

PROJECT = pathlib.Path(__file__).resolve().parents[2]
PEERS = {"fastwarc": ["FastWARC==1.1.0"], "warcio": ["warcio==1.8.1"], "indexer": ["cdxj-indexer==1.5.0"]}
READ = {
    "fastwarc": """
import sys
from fastwarc.warc import ArchiveIterator
from fastwarc.stream_io import FileStream, GZipStream
for name in sys.argv[1:]:
    for record in ArchiveIterator(GZipStream(FileStream(name)), parse_http=True):
        record.reader.read()
""",
    "warcio": """
import sys
from warcio.archiveiterator import ArchiveIterator
for name in sys.argv[1:]:
    with open(name, "rb") as file:
        for record in ArchiveIterator(file):
            record.raw_stream.read()
""",
}


def tell(text):
    print(text, file=sys.stderr, flush=True)


def run(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, cwd=PROJECT, **options)


def environments(folder):
    """The folders of the peers that could be installed."""
    for name, packages in PEERS.items():
        home, done = folder / name, folder / f"{name}.installed"
        try:
            if not done.exists():
                tell(f"installing {name} …")
                run(sys.executable, "-m", "venv", home)
                run(home / "bin/pip", "install", "--quiet", *packages)
                done.touch()
            yield name, home
        except subprocess.CalledProcessError as error:
            tell(f"left out: {name}: {error}")


def driftline():
    """The example that reads, and the command."""
    build = ["cargo", "build", "--profile", "dist", "-p", "driftline-archive", "--example", "read_archive"]
    lines = run(*build, "--message-format=json", stdout=subprocess.PIPE).stdout.splitlines()
    example = [found for line in lines if (found := json.loads(line).get("executable"))][-1]
    run("cargo", "build", "--profile", "dist", "-p", "driftline-cli")
    return example, pathlib.Path(example).parents[1] / "driftline"


def cost(*command):
    """Seconds of CPU, and on the clock, of one process."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    run(*command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    seconds, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, seconds


def race(title, contestants, megabytes, rounds):
    best = {}
    for turn in range(rounds):
        tell(f"{title}: round {turn + 1} of {rounds}, load {os.getloadavg()[0]:.1f}")
        for name, commands in contestants.items():
            both = [sum(costs) for costs in zip(*(cost(*command) for command in commands))]
            best[name] = [min(pair) for pair in zip(best.get(name, both), both)]
    print(f"\n{title}: {megabytes:.0f} MB packed, best of {rounds} rounds")
    print(f"{'':<28}{'MB a second of CPU':>20}{'MB a second':>14}")
    for name, (cpu, clock) in sorted(best.items(), key=lambda entry: entry[1]):
        print(f"{name:<28}{megabytes / cpu:>20.1f}{megabytes / clock:>14.1f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("files", type=pathlib.Path, nargs="+")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    folder, files = options.folder.resolve(), [file.resolve() for file in options.files]
    folder.mkdir(parents=True, exist_ok=True)
    megabytes = sum(file.stat().st_size for file in files) / 1e6

    example, command = driftline()
    peers = dict(environments(folder))
    reading = {f"driftline, {count} thread(s)": [[example, file, count] for file in files] for count in (1, 2)}
    for name in READ.keys() & peers.keys():
        reading[name] = [[peers[name] / "bin/python", "-c", READ[name], *files]]
    race("reading", reading, megabytes, options.rounds)
    indexing = {"driftline archive cdxj": [[command, "archive", "cdxj", *files]]}
    if "indexer" in peers:
        indexing["cdxj-indexer"] = [[peers["indexer"] / "bin/cdxj-indexer", *files]]
    race("indexing", indexing, megabytes, options.rounds)


if __name__ == "__main__":
    main()
