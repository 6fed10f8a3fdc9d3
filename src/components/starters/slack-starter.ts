import type { Starter } from './starter.ts';

export const SLACK_BOT: Starter = {
  id: 'slack-bot',
  title: 'Slack bot',
  what: 'Responds to slash commands and events of Slack, verified with SLACK_SIGNING_SECRET. Needs a URL that anyone may call.',
  name: 'slack-bot',
  runtime: 'nodejs24.x',
  handler: 'src/index.default',
  files: {
    'src/index.ts': `import { isFromSlack } from './slack-signature.ts';

export default {
  /** Set this function's URL in Slack as the request URL of a slash command or of event subscriptions. */
  async fetch(request: Request, env: Record<string, string>): Promise<Response> {
    const body = await request.text();
    if (!env.SLACK_SIGNING_SECRET)
      return Response.json({ error: 'Set the environment variable SLACK_SIGNING_SECRET.' }, { status: 501 });
    if (!(await isFromSlack(request.headers, body, env.SLACK_SIGNING_SECRET)))
      return new Response('invalid signature', { status: 401 });

    if (request.headers.get('content-type')?.includes('json')) return onEvent(JSON.parse(body));
    return onCommand(new URLSearchParams(body));
  },
};

/** Events API: the first request checks the URL. */
function onEvent(message: { type: string; challenge?: string; event?: { type: string; text?: string } }): Response {
  if (message.type === 'url_verification') return Response.json({ challenge: message.challenge });
  console.log(JSON.stringify({ level: 'info', msg: 'event', type: message.event?.type, text: message.event?.text }));
  return new Response();
}

/** A slash command: its response is shown in the channel. */
function onCommand(command: URLSearchParams): Response {
  const [word = 'help', ...rest] = (command.get('text') ?? '').split(' ').filter(Boolean);
  const text = word === 'echo' ? rest.join(' ') : \`Usage: \${command.get('command')} echo <text>\`;
  return Response.json({ response_type: 'ephemeral', text });
}
`,
    'src/slack-signature.ts': `/** Verifies x-slack-signature: v0= and the HMAC-SHA256 of "v0:timestamp:body" in hexadecimal. */
export async function isFromSlack(headers: Headers, body: string, secret: string): Promise<boolean> {
  const timestamp = headers.get('x-slack-request-timestamp') ?? '';
  const [, hex] = /^v0=([0-9a-f]{64})$/.exec(headers.get('x-slack-signature') ?? '') ?? [];
  // older requests are replays
  if (!hex || !(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false;
  const encode = (text: string) => new TextEncoder().encode(text);
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encode(secret), hmac, false, ['verify']);
  const given = Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  return crypto.subtle.verify('HMAC', key, given, encode(\`v0:\${timestamp}:\${body}\`));
}
`,
  },
};
