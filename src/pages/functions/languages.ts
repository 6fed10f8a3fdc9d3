/** The console's data about each function language. */
import type { FunctionRuntime } from '../../../contract/states.ts';

export type Language = {
  /** The expression that reads an environment variable. */
  readonly envExample: string;
  /** The starter code of a new function. */
  readonly handler: string;
  readonly files: Readonly<Record<string, string>>;
};

const JAVASCRIPT: Language = {
  envExample: 'env.KEY',
  handler: 'src/index.default',
  files: {
    'src/index.ts': `import { greeting } from './greeting.ts';

export default {
  /** Handles every request to this function's URL. */
  async fetch(request: Request, env: Record<string, string>): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const name = searchParams.get('name') ?? env.DEFAULT_NAME ?? 'world';

    // lines of JSON can be opened and filtered by field in the logs
    console.log(JSON.stringify({ level: 'info', msg: 'called', method: request.method, pathname, name }));

    return Response.json({ message: greeting(name), received: await request.text() });
  },
};
`,
    'src/greeting.ts': `export function greeting(name: string): string {
  return \`Hello, \${name}!\`;
}
`,
  },
};

const PYTHON: Language = {
  envExample: 'os.environ["KEY"]',
  handler: 'main.handler',
  files: {
    'main.py': `import json
import os

from greeting import greeting


def handler(event, context):
    """Handles every request to this function's URL."""
    name = event["query_params"].get("name") or os.environ.get("DEFAULT_NAME", "world")

    # lines of JSON can be opened and filtered by field in the logs
    print(json.dumps({"level": "info", "msg": "called", "method": event["method"], "path": event["path"], "name": name}))

    return {"message": greeting(name), "received": event["body"]}
`,
    'greeting.py': `def greeting(name: str) -> str:
    return f"Hello, {name}!"
`,
  },
};

export const LANGUAGES: Readonly<Record<FunctionRuntime, Language>> = {
  'nodejs24.x': JAVASCRIPT,
  'nodejs22.x': JAVASCRIPT,
  'python3.12': PYTHON,
};
