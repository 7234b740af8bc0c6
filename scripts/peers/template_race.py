#!/usr/bin/env python3
"""How fast is a stream of documents compared with its last 20, beside html-similarity on the same files?

usage: scripts/peers/template_race.py FOLDER STREAMS [--documents 30] [--rounds 3]

FOLDER (outside the project) gets html-similarity, installed by name; a second run uses it again. STREAMS
holds folders of documents in name order, as `../shared/data/streams` does. Both take turns, stream after
stream and round after round; numbers are CPU time, medians over rounds. html-similarity compares two
documents at a time and keeps nothing; driftline's part is a whole stream with all five detectors, files
read, process started and all.
"""

import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import time

PROJECT = pathlib.Path(__file__).resolve().parents[2]
HISTORY = 20
REPEATS = 50
# It does not import beside a newer cssselect.
PACKAGES = ["html-similarity", "cssselect<1.3"]


def tell(text):
    print(text, file=sys.stderr, flush=True)


def run(*command):
    parts = [str(part) for part in command]
    return subprocess.run(parts, check=True, cwd=PROJECT, stdout=subprocess.PIPE).stdout


def python(folder):
    """The interpreter that has html-similarity."""
    done = folder / "template.installed"
    if not done.exists():
        tell("installing html-similarity …")
        run(sys.executable, "-m", "venv", folder / "template")
        run(folder / "template/bin/pip", "install", "--quiet", *PACKAGES)
        done.touch()
    return folder / "template/bin/python"


def bench():
    build = ["cargo", "bench", "-p", "driftline", "--bench", "stream_against_parse", "--no-run"]
    lines = run(*build, "--message-format=json").splitlines()
    return next(found for line in lines if (found := json.loads(line).get("executable")))


def cpu(*command):
    """CPU seconds of one process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(*command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def peer(files):
    """Runs where html-similarity is installed: CPU seconds of each of its two similarities."""
    from importlib.metadata import version

    import html_similarity

    documents = [open(file, encoding="utf-8", errors="replace").read() for file in files]
    for name in ("structural_similarity", "similarity"):
        compare = getattr(html_similarity, name)
        start = time.process_time()
        for at, newer in enumerate(documents):
            for older in documents[max(0, at - HISTORY) : at]:
                compare(older, newer)
        seconds = time.process_time() - start
        print(json.dumps({"name": f"html-similarity {version('html-similarity')} {name}", "seconds": seconds}))


def main():
    if sys.argv[1:2] == ["--peer"]:
        return peer(sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("streams", type=pathlib.Path)
    parser.add_argument("--documents", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)

    ours, interpreter = bench(), python(options.folder.resolve())
    folders = sorted(path for path in options.streams.resolve().iterdir() if path.is_dir())
    streams = [sorted(folder.glob("*.html"))[: options.documents] for folder in folders]
    documents = sum(map(len, streams))
    rounds = {}
    for turn in range(options.rounds):
        tell(f"round {turn + 1} of {options.rounds}, load {os.getloadavg()[0]:.1f}")
        spent = {}
        for files in streams:
            seconds = {"driftline": cpu(ours, "watch", REPEATS, *files) / REPEATS}
            for line in run(interpreter, __file__, "--peer", *files).splitlines():
                result = json.loads(line)
                seconds[result["name"]] = result["seconds"]
            for name, value in seconds.items():
                spent[name] = spent.get(name, 0) + value
        for name, value in spent.items():
            rounds.setdefault(name, []).append(value)
    print(f"{documents} documents in {len(streams)} streams, each compared with the {HISTORY} before it")
    fastest = statistics.median(rounds["driftline"])
    for name, values in rounds.items():
        seconds = statistics.median(values)
        print(f"{name:<50} {documents / seconds:>10.1f} documents/s {seconds / fastest:>10.1f} x driftline")


if __name__ == "__main__":
    main()
