import type { Starter } from './starter.ts';

export const PYTHON_JOB: Starter = {
  id: 'python',
  title: 'Python',
  what: 'Receives JSON, counts the words of its texts with the standard library, and returns the most frequent ones.',
  name: 'word-count',
  runtime: 'python3.12',
  handler: 'main.handler',
  files: {
    'main.py': `import json
import os

from words import texts_in, top_words


def handler(event, context):
    """Handles every request to this function's URL: counts the words of the JSON in its body."""
    try:
        given = json.loads(event["body"] or "{}")
    except ValueError:
        return {"status": 400, "body": json.dumps({"error": "Expected JSON."})}

    limit = int(os.environ.get("LIMIT", "5"))
    words = top_words(texts_in(given), limit)

    # lines of JSON can be opened and filtered by field in the logs
    print(json.dumps({"level": "info", "msg": "counted", "words": len(words)}))
    return {"words": words}
`,
    'words.py': `import re
from collections import Counter


def texts_in(value):
    """All strings in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from texts_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from texts_in(each)


def top_words(texts, limit):
    """The most frequent words, with their counts."""
    counts = Counter(word for text in texts for word in re.findall(r"\\w+", text.lower()))
    return [{"word": word, "count": count} for word, count in counts.most_common(limit)]
`,
  },
};
