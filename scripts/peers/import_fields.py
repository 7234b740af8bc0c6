#!/usr/bin/env python3
"""Which fields do changedetection.io, urlwatch and webchanges have, and does driftline's import know them all?

usage: scripts/peers/import_fields.py FOLDER [--newest] [--driftline target/debug/driftline]

FOLDER (outside the project) gets the programs, installed by name, and is used again. Each program lists its own
fields and writes a file in which every one of them has a value other than the default:

changedetection.io  its store adds a watch and a tag, sets every field, commits, and its own `create_backup` packs it.
                    Nothing is fetched, no worker runs, no notification is sent.
urlwatch            its registries of jobs and filters: one job per key, per filter and per option of a filter, each of
webchanges          which the program itself parses.

Without an option the pinned versions are used, and the files are written to crates/driftline-watch/tests/data/monitors,
where the tests of the import read them. With `--newest` the newest versions are used, `driftline watch import` reads
what they wrote, and each field that it does not know is printed on stdout, one per line. The exit code is 0: a release
of another program is no fault of driftline.
"""

import argparse
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import uuid

PROJECT = pathlib.Path(__file__).resolve().parents[2]
DATA = PROJECT / "crates/driftline-watch/tests/data/monitors"
PROGRAMS = {"changedetection": ("changedetection.io", "0.60.10"), "urlwatch": ("urlwatch", "2.29"), "webchanges": ("webchanges", "3.37.0")}
# A program that does not end by itself is ended. To install one takes minutes.
SECONDS, SECONDS_TO_INSTALL = 300, 1_200

# What a field is set to. A field that is not listed gets a value by the type of its default.
HOURS = {"enabled": True, "start_time": "09:00", "duration": {"hours": "8", "minutes": "30"}}
LIMIT = {"enabled": True, "timezone": "Europe/Paris", "monday": HOURS, **{day: {**HOURS, "enabled": False} for day in
         ("tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")}}
WATCH = {
    "browser_steps": [{"operation": "Click element", "selector": "#more", "optional_value": ""}],
    "conditions": [{"operator": "in", "field": "page_filtered_text", "value": "Library"}],
    "conditions_match_logic": "ANY",
    "date_created": 1_700_000_000,
    "extract_lines_containing": ["price"],
    "extract_text": ["/\\d+ EUR/"],
    "fetch_backend": "html_webdriver",
    "has_ldjson_price_data": True,
    "headers": {"X-Token": "made-up"},
    "history_snapshot_max_length": 20,
    "ignore_status_codes": True,
    "ignore_text": ["visitor"],
    "include_filters": ["#main"],
    "link_to_open": "https://example.org/read",
    "llm_prefilter": "footer",
    "method": "POST",
    "notification_format": "text",
    "notification_urls": ["json://127.0.0.1:9/made-up"],
    "page_title": "The page says so",
    "price_change_threshold_percent": 5,
    "processor": "restock_diff",
    "proxy": "ui-0mine",
    "strip_ignored_lines": True,
    "subtractive_selectors": [".advertisement"],
    "tag": "old tag",
    "text_should_not_be_present": ["Sold out"],
    "time_between_check": {"weeks": None, "days": 1, "hours": 2, "minutes": None, "seconds": None},
    "time_schedule_limit": LIMIT,
    "title": "Prices",
    "track_ldjson_price_data": "accepted",
    "trigger_text": ["Library"],
    "url": "https://example.org/prices",
    "use_page_title_in_list": True,
    "webdriver_delay": 5,
    "webdriver_js_execute_code": "made_up()",
}
TAG = {**WATCH, "title": "weekly", "url_match_pattern": "example.org", "tag_colour": "#4f8ef7", "overrides_watch": True,
       "llm_backend_profile": False}
SETTINGS = {
    "application.api_access_token": "made-up too",
    "application.rss_access_token": "made-up too",
    "headers": {"X-All": "made-up"},
    "requests.default_ua": {"html_requests": "made-up/1.0", "html_webdriver": "made-up/1.0"},
    "requests.extra_browsers": [{"browser_name": "mine", "browser_connection_url": "ws://127.0.0.1:9"}],
    "requests.extra_proxies": [{"proxy_name": "mine", "proxy_url": "http://127.0.0.1:9"}],
    "requests.proxy": "ui-0mine",
    "requests.time_between_check": {"weeks": None, "days": None, "hours": 7, "minutes": None, "seconds": None},
    "requests.time_schedule_limit": LIMIT,
    "application.fetch_backend": "html_webdriver",
    "application.global_ignore_text": ["cookie banner"],
    "application.global_subtractive_selectors": ["nav"],
    "application.history_snapshot_max_length": 20,
    "application.llm": {"enabled": True, "model": "made-up", "api_key": "made-up"},
    "application.min_change_percentage": 5.0,
    "application.notification_urls": ["json://127.0.0.1:9/made-up"],
    "application.scheduler_timezone_default": "Europe/Paris",
    "application.webdriver_delay": 7,
}
# Set by the program itself, so left as it is.
OWN = {"uuid", "application.schema_version", "application.tags", "application.active_base_url"}
JOB = {
    "additions_only": True, "block_elements": ["image"], "browser": "firefox", "command": "made-up", "compared_versions": 3,
    "connect_over_cdp": "http://127.0.0.1:9", "contextlines": 2, "cookies": {"name": "made-up"}, "data": "made-up=1",
    "data_as_json": True, "deletions_only": True, "diff_filter": ["strip"], "diff_filters": ["strip"], "diff_tool": "made-up",
    "differ": {"name": "table"}, "empty_as_transient": True, "enabled": False, "encoding": "latin-1", "evaluate": "made_up()",
    "filter": ["html2text"], "filters": ["html2text"], "fingerprints": {"ja3": "made-up"}, "headers": {"X-Token": "made-up"},
    "http_client": "requests", "http_credentials": "me:made-up", "http_proxy": "http://127.0.0.1:9",
    "http_version": "v1", "https_proxy": "http://127.0.0.1:9", "ignore_cached": True, "ignore_connection_errors": True,
    "ignore_default_args": True, "ignore_dh_key_too_small": True, "ignore_http_error_codes": "4xx",
    "ignore_https_errors": True, "ignore_incomplete_reads": True, "ignore_timeout_errors": True,
    "ignore_too_many_redirects": True, "impersonate": "chrome", "index_number": 7, "init_script": "made_up()",
    "initialization_js": "made_up()", "initialization_url": "https://example.org/login", "is_markdown": True,
    "markdown_padded_tables": True, "max_tries": 3, "method": "PUT", "monospace": True, "name": "Prices",
    "no_conditional_request": True, "no_redirects": True,
    "note": "why I watch it", "params": {"q": "prices"}, "proxy": "http://127.0.0.1:9", "referer": "https://example.org/",
    "retries": 2, "same_site_delay": 1.5, "ssl_no_verify": True, "stderr": "fail", "suppress_error_ended": True,
    "suppress_errors": True, "suppress_repeated_errors": True, "switches": ["--mute-audio"], "tags": ["daily"],
    "timeout": 20, "treat_new_as_changed": True, "use_browser": True, "user_data_dir": "made-up",
    "user_visible_url": "https://example.org/read", "useragent": "made-up/1.0", "wait_for": "#content",
    "wait_for_function": "made_up()", "wait_for_navigation": "https://example.org/in", "wait_for_selector": "#content",
    "wait_for_timeout": 3, "wait_for_url": "https://example.org/in", "wait_until": "networkidle",
}
# The value of a filter, or of an option of it, where neither a number nor a text will do.
OPTIONS = {
    "adjacent": False, "class": "price", "command": "made-up", "end": "^End", "escape_characters": True, "exclude": ".ad",
    "extraction_mode": "layout", "format_message": "{name}", "has_header": True, "id": "prices", "ignore_case": True,
    "ignore_header": True, "indent": 2, "indentation": 2, "absolute_links": True, "maxitems": 1, "method": "xml",
    "namespaces": {"media": "http://search.yahoo.com/mrss/"}, "path": "//p", "pattern": "\\d+ EUR", "physical": True,
    "query": ".price", "raw": True, "re": "price", "repl": "n", "reverse": True, "selector": "#main", "separator": "|",
    "side": "left", "skip": 1, "sort": True, "sort_keys": True, "splitlines": True, "start": "^Begin", "strip": True,
    "style": "color:red", "tag": "main", "text": "price", "timeout": 5, "<any>": None,
}
HTML2TEXT = {"urlwatch": {"method": "re"}, "webchanges": {"method": "html2text"}}


def tell(text):
    print(text, file=sys.stderr, flush=True)


def other(default):
    """A value of the same type that is not the default."""
    match default:
        case bool():
            return not default
        case int() | float():
            return default + 7
        case list():
            return ["made-up"]
        case dict():
            return {"made-up": "made-up"}
        case _:
            return "made-up"


def valued(path, default, values):
    value = values.get(path, default)
    return other(default) if value == default else value


def schema_keys(spec, name):
    """The stored fields of a schema of the program's own description of its API."""
    schema = spec["components"]["schemas"].get(name, {})
    parts = schema.get("allOf", [schema])
    keys = {}
    for part in parts:
        if "$ref" in part:
            keys |= schema_keys(spec, part["$ref"].rsplit("/", 1)[1])
        keys |= {key: about.get("default") for key, about in part.get("properties", {}).items() if not about.get("readOnly")}
    return keys


def changedetection(folder):
    """Writes two backups of changedetection.io: with all defaults, and with every field set."""
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        os.environ.pop(name, None)
    from changedetectionio import forms
    from changedetectionio.blueprint.backups import create_backup
    from changedetectionio.model import App, schema_utils
    from changedetectionio.store import ChangeDetectionStore

    spec = schema_utils.get_openapi_schema_dict()
    computed = getattr(schema_utils, "get_system_managed_non_spec_fields", frozenset)()
    for is_set in (False, True):
        numbers = itertools.count(1)
        uuid.uuid4 = lambda: uuid.UUID(int=next(numbers) + (0x4000_8000 << 48))
        path = folder / f"changedetection-{'every-field' if is_set else 'defaults'}"
        path.mkdir()
        store = ChangeDetectionStore(datastore_path=str(path), include_default_watches=False)
        settings = store.data["settings"]
        settings["application"].update(rss_access_token="made-up", api_access_token="made-up")
        tag = settings["application"]["tags"][store.add_tag("daily")]
        watch = store.data["watching"][store.add_watch("https://example.org/")]
        if is_set:
            set_all(watch, schema_keys(spec, "Watch") | dict.fromkeys(computed), WATCH)
            watch["tags"] = [tag["uuid"]]
            form = {"tag_colour": ""}
            set_all(tag, schema_keys(spec, "Tag") | form, TAG)
            for group, form in (("requests", forms.globalSettingsRequestForm), ("application", forms.globalSettingsApplicationForm)):
                buttons = {name for name, field in form().data.items() if name.endswith("_button")}
                known = set(App.model.base_config["settings"][group]) | set(form().data) - buttons - {"processor"}
                for key in sorted(known | ({"llm"} if group == "application" else set())):
                    place = f"{group}.{key}"
                    if place not in OWN:
                        settings[group][key] = valued(place, settings[group].get(key), SETTINGS)
            settings["headers"] = SETTINGS["headers"]
        for stored in (watch, tag):
            stored.commit()
        store.commit()
        if is_set:
            (pathlib.Path(watch.data_dir) / "headers.txt").write_text("X-File: made-up\n")
        create_backup(str(path), store.data["watching"], tags=settings["application"]["tags"])
        [backup] = path.glob("changedetection-backup-*.zip")
        backup.rename(path.with_suffix(".zip"))
    # Its modules start threads that wait for work; there is none.
    sys.stdout.flush()
    os._exit(0)


def set_all(stored, more, values):
    """Sets every field that a watch or a tag has, or can have by what `more` names."""
    for key in sorted(set(stored) | set(more)):
        if key not in OWN and not key.startswith("__"):
            stored[key] = valued(key, stored.get(key, more.get(key)), values)


def jobs(program, folder):
    """Writes the jobs of urlwatch or webchanges: one per key, filter and option of a filter."""
    import importlib

    import yaml

    base = importlib.import_module(f"{program}.jobs").JobBase
    filters = importlib.import_module(f"{program}.filters").FilterBase
    documents = []
    for key in sorted({key for kind in base.__subclasses__.values() for key in (*kind.__required__, *kind.__optional__)}):
        documents.append(job(base, key))
    name = "filters" if program == "webchanges" else "filter"
    for kind, own in sorted(filters.__subclasses__.items()):
        if not kind:
            continue
        options = dict(getattr(own, "__supported_subfilters__", {}))
        usual = getattr(own, "__default_subfilter__", None)
        plain = {usual: OPTIONS.get(usual, "made-up")} if usual else {}
        if kind == "html2text":
            plain = HTML2TEXT[program]
        for option in (None, *(option for option in options if option not in ("<any>", usual))):
            value = plain if option is None else plain | {option: OPTIONS.get(option, "made-up")}
            if kind == "between":
                value = {"start": "^Begin", "end": "^End"}
            elif option == "re":
                value = {"re": OPTIONS["re"]}
            place = f"filter/{kind}" + (f"/{option}" if option else "")
            documents.append({"url": f"https://example.org/{place}", name: [{kind: value} if value else kind]})
            if option is None or option in OPTIONS:
                list(filters.normalize_filter_list(documents[-1][name], *([0] if program == "webchanges" else [])))
    lines = ["# Every key of a job, every filter and every option of a filter, by scripts/peers/import_fields.py"]
    for document in documents:
        lines += ["---", *(f"{key}: {json.dumps(value)}" for key, value in document.items())]
    text = "\n".join(lines) + "\n"
    assert list(yaml.safe_load_all(text))[1:] == documents or list(yaml.safe_load_all(text)) == documents
    (folder / f"{program}.yaml").write_text(text)


def job(base, key):
    """A job with this key, which the program itself reads."""
    kinds = [kind for kind in base.__subclasses__.values() if kind.__kind__ and key in (*kind.__required__, *kind.__optional__)]
    kind = sorted(kinds, key=lambda kind: kind.__kind__ != "url")[0]
    own = {"url": f"https://example.org/key/{key}", "navigate": f"https://example.org/key/{key}", "kind": kind.__kind__}
    values = JOB | own
    document = {name: values.get(name, "made-up") for name in (*kind.__required__, key)}
    if key == "http_proxy":
        document["url"] = document["url"].replace("https:", "http:")
    # Nobody knows the values of a key that is new.
    if key in values:
        base.unserialize(dict(document))
    return document


def run(*command, timeout=SECONDS, **options):
    return subprocess.run([str(part) for part in command], check=True, timeout=timeout, **options)


def installed(folder, name, is_newest):
    """The Python of an environment with a program, and its version."""
    package, pinned = PROGRAMS[name]
    home = folder / (f"{name}-newest" if is_newest else f"{name}-{pinned}")
    if not (home / "bin/pip").exists():
        run(sys.executable, "-m", "venv", home)
    about = f"import importlib.metadata as m; print(next((d.version for d in m.distributions(name={package!r})), ''))"
    version = lambda: run(home / "bin/python", "-c", about, capture_output=True, text=True).stdout.strip()
    if is_newest or version() != pinned:
        wanted = ["--upgrade", package] if is_newest else [f"{package}=={pinned}"]
        run(home / "bin/pip", "install", "--quiet", "--disable-pip-version-check", *wanted, stdout=sys.stderr,
            timeout=SECONDS_TO_INSTALL)
    return home / "bin/python", version()


def unknown(driftline, file, name):
    """The fields of a file that the import does not know."""
    form = "changedetection" if name == "changedetection" else "urlwatch"
    with tempfile.TemporaryDirectory() as empty:
        command = [driftline, "watch", "import", "--format", form, "--dry-run", "--json", "--data", empty, file]
        lines = run(*command, capture_output=True, text=True).stdout.splitlines()
    notes = [note for note in map(json.loads, lines) if "not known here" in note.get("note", "")]
    return [f"{note['entry']}: {note['note']}" for note in notes]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--newest", action="store_true")
    parser.add_argument("--driftline", type=pathlib.Path, default=PROJECT / "target/debug/driftline")
    parser.add_argument("--make", choices=PROGRAMS, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.make:
        return changedetection(given.folder) if given.make == "changedetection" else jobs(given.make, given.folder)
    given.folder.mkdir(parents=True, exist_ok=True)
    for name in PROGRAMS:
        try:
            look(name, given)
        except (OSError, subprocess.SubprocessError) as error:
            if not given.newest:
                raise
            tell(error)
            print(f"{PROGRAMS[name][0]}: not looked up, because it could not be installed or did not run")


def look(name, given):
    """Writes the files of one program, or prints which of its fields the import does not know."""
    python, version = installed(given.folder.resolve(), name, given.newest)
    with tempfile.TemporaryDirectory() as made:
        script = pathlib.Path(__file__).resolve()
        run(python, script, "--make", name, made, stdout=sys.stderr, stderr=subprocess.DEVNULL, cwd=made)
        files = sorted(file for file in pathlib.Path(made).iterdir() if file.is_file())
        if given.newest:
            # urlwatch brings an example along, which is not ours to copy.
            files += (python.parents[1] / "share").glob("urlwatch/examples/urls.yaml*")
        for file in files:
            if given.newest:
                found = unknown(given.driftline.resolve(), file, name)
                tell(f"{name} {version}, {file.name}: {len(found)} unknown")
                print("".join(f"{PROGRAMS[name][0]} {version}: {line}\n" for line in found), end="")
            else:
                kept = DATA / file.name.replace(name, f"{name}-{version}", 1)
                DATA.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, kept)
                tell(f"{kept.relative_to(PROJECT)}: {kept.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
