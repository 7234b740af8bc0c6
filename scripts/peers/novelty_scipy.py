"""How long do 20 rounds of the novelty measure take in scipy.sparse, in float32? scripts/bench/novelty calls this.

usage: novelty_scipy.py read|whole|folded PREFIX FOLDER

read     what evograph made becomes a matrix of in-links in FOLDER, and classes, by rules N2 and N3
whole    20 products with the whole matrix; fixed scores are put back after each, as people do it
folded   20 products with the links among unidentified pages alone
Prints one line of JSON; `whole` compares its scores with driftline's (FOLDER/scores).
"""

import json
import pathlib
import sys
import time

import numpy as np
import scipy.sparse as sparse

DELTA = np.float32(0.1)
ROUNDS = 20
OLD, SEEN_TWICE, UNIDENTIFIED = 1, 2, 3


def read(prefix, folder):
    column = lambda kind, dtype: np.fromfile(f"{prefix}.{kind}", dtype)
    degrees, targets = column("deg", "<u4"), column("adj", "<u4")
    born, modified, crawled = (column(kind, "u1") for kind in ("birth", "lm", "crawl"))
    last = int(next(line.split()[1] for line in open(f"{prefix}.meta") if line.startswith("epochs"))) - 1
    sources = np.repeat(np.arange(len(degrees), dtype="u4"), degrees)
    at = lambda epoch: crawled >> epoch & 1 == 1
    seen = np.zeros(len(degrees), bool)
    for epoch in range(last):
        seen |= at(epoch)
        seen[targets[at(epoch)[sources] & (born[targets] <= epoch)]] = True
    now = at(last)
    sources, targets = sources[now[sources]], targets[now[sources]]
    unmodified = now & (modified < last)
    linked = np.zeros(len(degrees), bool)
    linked[targets[unmodified[sources]]] = True
    old = now & (seen | unmodified | linked)
    classes = np.zeros(len(degrees), "u1")
    classes[old], classes[old & at(last - 1)], classes[now & ~old] = OLD, SEEN_TWICE, UNIDENTIFIED
    links = sparse.csr_matrix((np.ones(len(sources), np.float32), (targets, sources)), shape=(len(degrees),) * 2)
    links.sort_indices()
    for name in ("indptr", "indices"):
        np.save(folder / f"{name}.npy", getattr(links, name))
    np.save(folder / "classes.npy", classes)
    counts = {str(kind): int((classes == kind).sum()) for kind in (OLD, SEEN_TWICE, UNIDENTIFIED)}
    return {"links": len(sources), "classes": counts}


def load(folder):
    """In-links with what each counts for, from files: reading them takes no more memory than they do."""
    indptr, indices = np.load(folder / "indptr.npy"), np.load(folder / "indices.npy")
    counts = np.diff(indptr)
    data = np.repeat((1 / np.maximum(counts, 1)).astype(np.float32), counts)
    return sparse.csr_matrix((data, indices, indptr), shape=(len(counts),) * 2), np.load(folder / "classes.npy")


def whole(folder):
    links, classes = load(folder)
    is_fixed = classes != UNIDENTIFIED
    fixed = (classes == SEEN_TWICE).astype(np.float32)
    begin, processor = time.time(), time.process_time()
    scores = fixed.copy()
    for _ in range(ROUNDS):
        scores = np.where(is_fixed, fixed, (1 - DELTA) * (links @ scores))
    report = {"solve_seconds": time.time() - begin, "solve_cpu_seconds": time.process_time() - processor}
    ours = np.fromfile(folder / "scores", "<f8")
    return {**report, "most_apart": float(abs(ours - scores[~is_fixed]).max())}


def folded(folder):
    links, classes = load(folder)
    rows = links[classes == UNIDENTIFIED]
    constant = (1 - DELTA) * (rows @ (classes == SEEN_TWICE).astype(np.float32))
    among = rows[:, classes == UNIDENTIFIED].tocsr()
    begin, processor = time.time(), time.process_time()
    scores = np.zeros(len(constant), np.float32)
    for _ in range(ROUNDS):
        scores = constant + (1 - DELTA) * (among @ scores)
    report = {"solve_seconds": time.time() - begin, "solve_cpu_seconds": time.process_time() - processor}
    return {**report, "links": int(among.nnz), "unidentified": len(constant)}


def main(what, prefix, folder):
    folder = pathlib.Path(folder)
    report = {"read": lambda: read(prefix, folder), "whole": lambda: whole(folder), "folded": lambda: folded(folder)}
    print(json.dumps(report[what]()))


if __name__ == "__main__":
    main(*sys.argv[1:])
