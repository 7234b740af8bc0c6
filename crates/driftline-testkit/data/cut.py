#!/usr/bin/env python3
"""Cuts `warc/` and `snapshots/` of this folder from the whole collection.

    cut.py ../shared/data crates/driftline-testkit/data

Needs pyarrow, warcio, zstandard and cdxj-indexer from PyPI. `README.md` says what is chosen and under which licences.
"""

import csv
import gzip
import io
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import zstandard
from warcio.archiveiterator import ArchiveIterator

# Projects with a permissive licence, and the files of theirs that stay out: large, or third-party corpora.
PROJECTS = {
    "aut": ["aut__example.arc.gz", "aut__example.warc.gz"],
    "cdxj-indexer": [],
    "chatnoir-resiliparse": ["clueweb-quirk.warc.gz", "warcfile.warc", "warcfile.warc.gz", "warcfile.warc.lz4"],
    "ipwb": ["ipwb__sample-1.warc.gz"],
    "js-wacz": [],
    "jwarc": [],
    "jwat": ["jwat__1-1-20110922131213-00000-svc-VirtualBox.arc"],
    "node-warc": ["books.toscrape.warc", "parseMe.warc"],
    "py-wacz": ["py-wacz__example-collection-with-lists.warc"],
    "warcio": [],
    "warcio-js": [],
    "webarchive-commons": [],
}
# Small sites of the Apache Software Foundation, in tables and in WARC files.
HOSTS = ["calcite.apache.org", "kafka.apache.org", "ozone.apache.org", "royale.apache.org", "superset.apache.org"]
WARC_HOSTS = ["flink.apache.org", "royale.apache.org"]
# New pages in the WARC file of one crawl, each with an old page that links to it.
NEW_PAGES = 2
# Compressed bytes of pages in the WARC file of one crawl, where those are fewer.
WARC_BYTES = 90_000


def packed(path, text):
    """Writes gzip that is the same on every day."""
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as out:
        out.write(text.encode())


def cut_warc(source, target):
    for part in ["files", "expected"]:
        shutil.rmtree(target / part, ignore_errors=True)
        (target / part).mkdir(parents=True)
    with open(source / "manifest.csv", newline="") as file:
        rows = list(csv.DictReader(file))

    def is_chosen(name):
        project, file = name.split("__", 1)
        left_out = PROJECTS.get(project)
        return left_out is not None and name not in left_out and file not in left_out

    chosen = [row for row in rows if is_chosen(row["file"])]
    for row in chosen:
        shutil.copyfile(source / "files" / row["file"], target / "files" / row["file"])
        for expected in ["records.jsonl", "cdxj"]:
            path = source / "expected" / f"{row['file']}.{expected}"
            if path.exists():
                shutil.copyfile(path, target / "expected" / path.name)
    derived = [with_dictionary(target)] + blocks(target, chosen)
    with open(target / "manifest.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(chosen + derived)
    for path in target.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)


def with_dictionary(target):
    """An archive in zstd, its dictionary in a skippable frame before the records."""
    name = "derived__issue-493-dict.warc.zst"
    with open(target / "files/aut__issue-493.warc", "rb") as file:
        whole = file.read()
        file.seek(0)
        archive = ArchiveIterator(file)
        starts = [archive.get_record_offset() for _ in archive]
    records = [whole[start:end] for start, end in zip(starts, starts[1:] + [len(whole)])]
    dictionary = zstandard.ZstdCompressionDict(b"".join(records)[:4096], dict_type=zstandard.DICT_TYPE_RAWCONTENT)
    frame = zstandard.ZstdCompressor().compress(dictionary.as_bytes())
    out = b"\x5d\x2a\x4d\x18" + len(frame).to_bytes(4, "little") + frame
    compressor = zstandard.ZstdCompressor(dict_data=dictionary)
    out += b"".join(compressor.compress(record) for record in records)
    (target / "files" / name).write_bytes(out)
    return {
        "file": name,
        "bytes": len(out),
        "kind": "warc",
        "special": "zstd-dictionary",
        "warcio_error": "not readable by warcio",
        "source": "derived by us from aut__issue-493.warc (zstd with dictionary in skippable frame 0x184D2A5D)",
    }


def blocks(target, chosen):
    """An index in blocks, as cdxj-indexer writes it."""
    is_wanted = lambda row: row["cdxj_lines"] and not row["cdxj_error"] and row["source"].startswith(("iipc/", "arch"))
    files = [row["file"] for row in chosen if is_wanted(row)]
    index, data = target / "files/derived__zipnum.idx", target / "files/derived__zipnum.cdx.gz"
    program = Path(sys.executable).with_name("cdxj-indexer")
    options = ["--sort", "--lines", "5", "--compress", data.name, "--output", index.name]
    subprocess.run([program, *options, *files], cwd=target / "files", check=True)
    source = "derived by us with cdxj-indexer 1.5.0 from " + " ".join(files)
    paths = [index, data]
    return [{"file": path.name, "bytes": path.stat().st_size, "kind": "zipnum", "source": source} for path in paths]


def table(path):
    with gzip.open(path, "rt") as file:
        head, *rows = (line.rstrip("\n").split("\t") for line in file)
    return head, rows


def host(url):
    return url.split("/")[2]


def cut_tables(source, target, is_kept):
    """Crawled pages that are kept, their links, and what those lead to."""
    head, pages = table(source / "pages.tsv.gz")
    link_head, links = table(source / "links.tsv.gz")
    crawled = {page[0] for page in pages if page[1] == "1" and is_kept(page[0])}
    links = [link for link in links if link[0] in crawled]
    named = crawled | {link[1] for link in links}
    # A page that was crawled and is left out is one that was only linked to.
    pages = [page if page[0] in crawled else [page[0], "0", "", ""] for page in pages if page[0] in named]
    target.mkdir(parents=True, exist_ok=True)
    for name, rows in [("pages", [head, *pages]), ("links", [link_head, *links])]:
        packed(target / f"{name}.tsv.gz", "".join("\t".join(row) + "\n" for row in rows))
    return pages, links, crawled


def cut_snapshots(source, target):
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    meta = json.loads((source / "meta.json").read_text())
    everything, crawls = set(), range(1, len(meta["times"]) + 1)
    chosen = choose_pages(source, crawls)
    for number in crawls:
        folder, own = source / f"t{number}", target / f"t{number}"
        pages, links, crawled = cut_tables(folder, own, lambda url: host(url) in HOSTS)
        everything |= crawled
        columns = {
            "url": [page[0] for page in pages],
            "crawled": [page[1] == "1" for page in pages],
            "fetch_time": [page[2] or None for page in pages],
            "last_modified": [page[3] or None for page in pages],
        }
        pq.write_table(pa.table(columns), own / "pages.parquet", compression="zstd")
        columns = {"source": [link[0] for link in links], "target": [link[1] for link in links]}
        pq.write_table(pa.table(columns), own / "links.parquet", compression="zstd")
        head, redirects = table(folder / "redirects.tsv.gz")
        redirects = [row for row in redirects if host(row[0]) in HOSTS]
        packed(own / "redirects.tsv.gz", "".join("\t".join(row) + "\n" for row in [head, *redirects]))
        name = f"warc/dev-t{number}.warc.gz"
        cut_archive(folder / name, own / name, chosen[number])
        everything |= cut_tables(folder / "warc", own / "warc", lambda url: url in chosen[number])[2]
    head, births = table(source / "truth.tsv.gz")
    births = [birth for birth in births if birth[0] in everything]
    packed(target / "truth.tsv.gz", "".join("\t".join(row) + "\n" for row in [head, *births]))
    sites = [site for site in meta["sites"] if site["host"] in HOSTS + WARC_HOSTS]
    kept = {site["host"] for site in sites}
    stats = [{"sites_down": [host for host in crawl["sites_down"] if host in kept]} for crawl in meta["stats"]]
    meta = {"name": meta["name"], "times": meta["times"], "sites": sites, "stats": stats}
    (target / "meta.json").write_text(json.dumps(meta, indent=1) + "\n")


def records(path):
    """Address, status and bytes of each record of a WARC file."""
    whole, found = path.read_bytes(), []
    archive = ArchiveIterator(io.BytesIO(whole))
    for record in archive:
        url = record.rec_headers.get_header("WARC-Target-URI")
        status = record.http_headers and record.http_headers.get_statuscode()
        archive.read_to_end(record)
        start, length = archive.get_record_offset(), archive.get_record_length()
        found.append((url, status, whole[start : start + length]))
    return found


def choose_pages(source, crawls):
    """Pages of the sites in WARC files, by crawl: new ones, old ones that link to them, and the smallest besides."""
    sizes = {}
    for number in crawls:
        pages = records(source / f"t{number}/warc/dev-t{number}.warc.gz")
        sizes[number] = {page[0]: len(page[2]) for page in pages if page[1] == "200" and host(page[0]) in WARC_HOSTS}
    chosen = {number: set() for number in crawls}
    for number in crawls[1:]:
        own, before = sizes[number], sizes[number - 1]
        classes = {row[0]: row for row in table(source / f"t{number}/expected_novelty_warc.tsv.gz")[1]}
        _, links = table(source / f"t{number}/warc/links.tsv.gz")
        new = [url for url in own if classes[url][1] == "U" and float(classes[url][4]) > 0]
        for page in sorted(new, key=lambda url: (own[url], url))[:NEW_PAGES]:
            known = [link[0] for link in links if link[1] == page and link[0] in own and link[0] in before]
            known = sorted(set(known) - {page}, key=lambda url: (own[url], url))[:1]
            chosen[number] |= {page, *known}
            chosen[number - 1] |= set(known)
    for number in crawls:
        for url in sorted(sizes[number], key=lambda url: (sizes[number][url], url)):
            if sum(sizes[number][page] for page in chosen[number] | {url}) > WARC_BYTES:
                break
            chosen[number].add(url)
    return chosen


def cut_archive(source, target, chosen):
    """The chosen pages, as they stand in the file; and the redirects of their sites."""
    target.parent.mkdir(parents=True)
    is_kept = lambda url, status: url is None or url in chosen or (status == "301" and host(url) in WARC_HOSTS)
    target.write_bytes(b"".join(member for url, status, member in records(source) if is_kept(url, status)))


if __name__ == "__main__":
    whole, subset = Path(sys.argv[1]), Path(sys.argv[2])
    cut_warc(whole / "warc", subset / "warc")
    cut_snapshots(whole / "snapshots/dev", subset / "snapshots/dev")
