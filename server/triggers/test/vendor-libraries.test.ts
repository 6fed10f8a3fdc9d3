/** The libraries of vendors accept what source-senders.ts sends for them, so that both sides sign the same bytes. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { beforeAll, expect, it } from 'vitest';
import { catalogue } from '../../connections/apps/catalogue.ts';
import { installSdks, SDK_FOLDER } from '../../test/sdk-packages.ts';
import { SENDERS } from './source-senders.ts';

beforeAll(installSdks);

const APPS = [
  'box',
  'clerk',
  'github',
  'hubspot',
  'linear',
  'notion',
  'paddle',
  'resend',
  'shopify',
  'slack',
  'square',
  'standard-webhooks',
  'stripe',
  'webflow',
  'workos',
];

type Webhook = { app: string; url: string; secret: string; headers: Record<string, string>; body: string };

/** A request of the first event type of an app, as it arrives. */
function webhookOf(app: string): Webhook {
  const sender = SENDERS[app];
  const [event] = catalogue.get(app)?.definition.event_types ?? [];
  if (!sender || !event) throw new Error(`${app} has no sender`);
  const url = 'https://sluice.example.com/hooks/t/1';
  const delivery = { ...event, number: 1, url, secret: sender.secret, at: new Date() };
  const body = sender.body(delivery);
  return { app, url, secret: sender.secret, headers: sender.headers(delivery, body), body };
}

const verdicts = (webhooks: Webhook[], answers: unknown) =>
  Object.fromEntries(webhooks.map(({ app }, i) => [app, (answers as unknown[])[i]]));
const all = (answer: boolean) => Object.fromEntries(APPS.map((app) => [app, answer]));

it('accept requests with the right signature only', async () => {
  const child = spawn(process.execPath, ['verify-webhooks.mjs'], {
    cwd: SDK_FOLDER,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse(String((await lines.next()).value)) as unknown;
  expect(await next()).toBe('ready');
  const accepted = async (change: (webhook: Webhook) => Partial<Webhook>) => {
    const webhooks = APPS.map(webhookOf).map((each) => ({ ...each, ...change(each) }));
    child.stdin.write(`${JSON.stringify(webhooks)}\n`);
    return verdicts(webhooks, await next());
  };
  expect(await accepted(() => ({}))).toEqual(all(true));
  expect(await accepted(({ body }) => ({ body: body.replace(/\}(\]?)$/, ',"changed":1}$1') }))).toEqual(all(false));
  const otherThan = (text: string) => text.replace(/\w(?=\W*$)/, (last) => (last === 'a' ? 'b' : 'a'));
  expect(await accepted(({ secret }) => ({ secret: otherThan(secret) }))).toEqual(all(false));
  child.stdin.end();
});
