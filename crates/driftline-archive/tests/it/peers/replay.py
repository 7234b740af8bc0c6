"""What does pywb replay? For each line `TIME URL` on stdin, the answer to /coll/TIMEid_/URL as a line of JSON.

usage: replay.py OUTPUT     (in a folder with collections/coll/archive and collections/coll/indexes)
The whole of pywb runs in this process: its front end is asked directly, and asks its own server of WARC records.
"""

import warnings

warnings.simplefilter("ignore")  # pywb's packages use what setuptools will drop

from gevent.monkey import patch_all

patch_all()

import base64
import json
import sys

from pywb.apps.frontendapp import FrontEndApp
from werkzeug.test import create_environ, run_wsgi_app

app = FrontEndApp(custom_config={})
with open(sys.argv[1], "w", encoding="utf-8") as answers:
    for line in sys.stdin:
        time, url = line.split()
        body, status, headers = run_wsgi_app(app, create_environ(f"/coll/{time}id_/{url}"))
        answer = {
            "status": int(status.split()[0]),
            "headers": {name.lower(): value for name, value in headers},
            "body": base64.b64encode(b"".join(body)).decode(),
        }
        answers.write(json.dumps(answer) + "\n")
