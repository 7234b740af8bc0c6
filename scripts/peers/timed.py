"""How long do the differs of this virtual environment take? One JSON line for each differ and pair.

usage: timed.py FOLDER     (FOLDER has N-i.old.html and N-i.new.html; race.py calls this)
Times are CPU milliseconds of this process; parsing is included, importing is not.
"""

import glob
import json
import sys
import time
from importlib.metadata import version


def differs():
    """Those that can be imported here: name, version and a function of two texts."""
    try:
        from lxml.html.diff import htmldiff

        yield "lxml htmldiff", version("lxml"), htmldiff
    except ImportError as error:
        skipped("lxml htmldiff", error)
    try:
        from lxml import html
        from xmldiff import main as xmldiff

        def trees(old, new, **options):
            return xmldiff.diff_trees(html.document_fromstring(old), html.document_fromstring(new), **options)

        yield "xmldiff", version("xmldiff"), trees
        fast = {"diff_options": {"fast_match": True}}
        yield "xmldiff, fast match", version("xmldiff"), lambda old, new: trees(old, new, **fast)
    except ImportError as error:
        skipped("xmldiff", error)
    try:
        from web_monitoring_diff import html_diff_render

        yield "EDGI html_diff_render", version("web-monitoring-diff"), html_diff_render
    # Its parser raises RuntimeError when it and lxml have different versions of libxml2.
    except (ImportError, RuntimeError) as error:
        skipped("EDGI html_diff_render", error)


def skipped(name, error):
    print(f"not in this environment: {name}: {str(error)[:90]}", file=sys.stderr)


def main(folder):
    pairs = []
    for path in sorted(glob.glob(f"{folder}/*.old.html")):
        texts = [open(name, encoding="utf-8").read() for name in (path, path.replace(".old.", ".new."))]
        pairs.append((path.rsplit("/", 1)[-1].split(".")[0], texts))
    pairs.sort(key=lambda pair: len(pair[1][0]))
    for name, number, differ in differs():
        differ(*pairs[0][1])
        for pair, texts in pairs:
            start = time.process_time()
            differ(*texts)
            spent = 1e3 * (time.process_time() - start)
            print(json.dumps({"differ": f"{name} {number}", "pair": pair, "ms": spent}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
