/**
 * `npm run demo`: the service with a separate data folder (./data-demo) and an account that is set up through the API:
 * two functions, a connected app, a schedule that fires every minute, and a receiver on port 4401 that fails two times
 * out of three. All data is real.
 */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Body, Reply } from '../contract/operations.ts';
import { type Operation, pathOf, routes } from '../contract/routes.ts';
import { buildIfChanged } from './build-if-changed.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PORT = process.env['SLUICE_PORT'] || '4400';
const RECEIVER_PORT = 4401;
const ADMIN = { email: 'demo@example.com', password: 'demo-password' };
const KEY = 'slc_demoKeyForTheDemoAccountOnly00000';

buildIfChanged();
const service = spawn(process.execPath, ['server/main.ts'], {
  cwd: ROOT,
  stdio: ['ignore', 'pipe', 'inherit'],
  env: {
    ...process.env,
    SLUICE_PORT: PORT,
    SLUICE_DATA_DIR: process.env['SLUICE_DATA_DIR'] || 'data-demo',
    SLUICE_ADMIN_EMAIL: ADMIN.email,
    SLUICE_ADMIN_PASSWORD: ADMIN.password,
    SLUICE_API_KEY: KEY,
    SLUICE_ALLOW_PRIVATE_CIDRS: '127.0.0.0/8,::1/128',
    SLUICE_LOG_LEVEL: 'warn',
  },
});
const receiver = startReceiver();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => service.kill('SIGTERM'));
service.once('exit', (code) => {
  receiver.close();
  receiver.closeAllConnections();
  process.exitCode = code ?? 0;
});

let output = '';
service.stdout.on('data', (chunk: Buffer) => {
  process.stdout.write(chunk);
  const before = output;
  output += chunk.toString();
  if (!before.includes('is ready') && output.includes('is ready')) seed().catch(console.error);
});

async function seed(): Promise<void> {
  const { functions } = await call('functionList');
  if (functions.length === 0) await seedOnce();
  console.log(`Sign in with ${ADMIN.email} and ${ADMIN.password}. The API key is ${KEY}.`);
}

async function seedOnce(): Promise<void> {
  const { function: stock } = await call('functionCreate', {
    body: {
      name: 'stock-sync',
      description: 'Counts what the schedule reports.',
      runtime: 'nodejs24.x',
      visibility: 'PUBLIC',
      files: STOCK_SYNC,
    },
  });
  await call('functionCreate', {
    body: {
      name: 'hello',
      description: 'Responds to any caller.',
      runtime: 'nodejs24.x',
      visibility: 'PUBLIC',
      invoke_access: 'ANYONE',
      files: HELLO,
    },
  });
  await call('appCreate', {
    body: {
      app: 'ledger',
      name: 'Ledger',
      base_url: `http://127.0.0.1:${RECEIVER_PORT}`,
      methods: [{ method: 'API_KEY', place: { in: 'header', name: 'x-api-key', template: '{api_key}' } }],
    },
  });
  await call('connectionCreate', { body: { app: 'ledger', name: 'Ledger of the demo' } });
  const { trigger } = await call('triggerCreate', {
    body: {
      name: 'every-minute',
      source: 'schedule',
      event_type: 'schedule.elapsed',
      parameters: { cron_expression: '* * * * *', timezone: 'UTC' },
      destinations: [
        { name: 'stock-sync', url: stock.url, method: 'POST' },
        { name: 'erp', url: `http://127.0.0.1:${RECEIVER_PORT}/inbound`, method: 'POST' },
      ],
    },
  });
  await call('triggerTest', { params: { trigger_id: trigger.trigger_id } });
}

async function call<O extends Operation>(
  operation: O,
  input: { params?: Record<string, string>; body?: Body<O> } = {},
): Promise<Reply<O>> {
  const response = await fetch(`http://127.0.0.1:${PORT}/api${pathOf(operation, input.params)}`, {
    method: routes[operation].method,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
  });
  if (!response.ok) throw new Error(`${operation}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Reply<O>;
}

function startReceiver() {
  let calls = 0;
  return createServer((req, res) => {
    req.resume();
    const good = ++calls % 3 === 0;
    res.writeHead(good ? 200 : 503, { 'content-type': 'application/json' });
    res.end(JSON.stringify(good ? { received: true } : { error: 'upstream_busy', queue_depth: 4127 }));
  }).listen(RECEIVER_PORT, '127.0.0.1');
}

const STOCK_SYNC = {
  'index.ts': `import { summary } from './lib/summary.ts';

export default {
  async fetch(request: Request): Promise<Response> {
    const event = await request.json();
    console.log('received', event.type, event.event_id);
    const line = summary(event.data);
    console.info(JSON.stringify({ level: 'info', msg: 'counted', line }));
    return Response.json({ ok: true, line });
  },
};
`,
  'lib/summary.ts': `/** One line about a firing of the schedule. */
export function summary(data: { scheduled_for?: string; timezone?: string }): string {
  return \`fired at \${data.scheduled_for ?? 'no time'} (\${data.timezone ?? 'UTC'})\`;
}
`,
};

const HELLO = {
  'index.ts': `export default {
  fetch(request: Request): Response {
    const name = new URL(request.url).searchParams.get('name') ?? 'world';
    console.log('greeting', name);
    return new Response(\`Hello, \${name}!\\n\`);
  },
};
`,
};
