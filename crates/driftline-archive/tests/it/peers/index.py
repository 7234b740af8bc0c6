"""What does cdxj-indexer make of files? For each, its lines, or why it gives up, as a line of JSON.

usage: index.py OUTPUT FILE…
"""

import io
import json
import sys

from cdxj_indexer.main import CDXJIndexer

with open(sys.argv[1], "w", encoding="utf-8") as answers:
    for path in sys.argv[2:]:
        lines = io.StringIO()
        try:
            CDXJIndexer(output=lines, inputs=[path]).process_all()
            answer = {"lines": lines.getvalue()}
        except Exception as error:
            answer = {"error": repr(error)}
        answers.write(json.dumps(answer) + "\n")
