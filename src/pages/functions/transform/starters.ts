/** The code of a new transformation: it changes nothing, and names what it may change. */
import type { FunctionRuntime } from '../../../../contract/states.ts';

type Starter = { readonly handler: string; readonly files: Readonly<Record<string, string>> };

const JAVASCRIPT: Starter = {
  handler: 'index.default',
  files: {
    'index.ts': `type Event = {
  type: string;
  timestamp: string;
  data: Record<string, unknown>; // the payload
  event_id: string;
  trigger_id: string;
  source: string;
  request: { method: string; path: string; headers: Record<string, string>; body?: string };
};

/** Turns an event into the request. Return null to skip it. Members that are not returned stay as they are. */
export default function transform(call: { body: string }) {
  const event: Event = JSON.parse(call.body);
  return {
    // method: 'PUT',
    // path: \`\${event.request.path}/\${event.data.id}\`,
    // headers: { 'x-type': event.type },
    // body: { id: event.event_id, data: event.data },
  };
}
`,
  },
};

const PYTHON: Starter = {
  handler: 'main.transform',
  files: {
    'main.py': `import json


def transform(call, context):
    """Turns an event into the request. Return None to skip it. Members that are not returned stay as they are."""
    event = json.loads(call["body"])  # type, timestamp, data (the payload), event_id, trigger_id, source, request
    return {
        # "method": "PUT",
        # "path": f"{event['request']['path']}/{event['data']['id']}",
        # "headers": {"x-type": event["type"]},
        # "body": {"id": event["event_id"], "data": event["data"]},
    }
`,
  },
};

export const STARTERS: Readonly<Record<FunctionRuntime, Starter>> = {
  'nodejs24.x': JAVASCRIPT,
  'nodejs22.x': JAVASCRIPT,
  'python3.12': PYTHON,
};
