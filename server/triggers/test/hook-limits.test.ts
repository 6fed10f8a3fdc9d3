/** Limits of requests per second to webhook URLs: 429, and a rejection that the owner reads. */
import { describe, expect, it } from 'vitest';
import { serviceForAll } from '../../test/shared-set-up.ts';
import { listenTo, post, rejectionsOf, sendRaw } from './ingress-support.ts';

const SLOW = { SLUICE_HOOK_RATE: '1', SLUICE_ACCOUNT_HOOK_RATE: '2' };
const service = serviceForAll({ env: SLOW });

/** Sends requests until one is beyond a limit. */
async function exhaust(url: string, body = '{}') {
  for (let sent = 1; ; sent++) {
    const answer = await post(url, body);
    if (answer.status === 429) return { answer, sent };
    expect(answer.status).toBe(200);
  }
}

describe('a webhook URL', () => {
  it('takes a number of requests per second, then 429 with Retry-After and a rejection', async () => {
    const { trigger, url } = await listenTo(service, 'webhook', 'webhook.received');
    const { answer } = await exhaust(url, '{"order":17}');
    expect(answer).toMatchObject({ body: { message: 'This URL takes 1 requests per second.', code: 429 } });
    expect(answer.headers.get('retry-after')).toBe('1');
    const { rejections } = await rejectionsOf(service, trigger);
    expect(rejections[0]).toMatchObject({
      cause: 'RATE_LIMITED',
      message: 'This URL takes 1 requests per second.',
      method: 'POST',
      bytes: 12,
      can_accept: false,
    });
    await expect.poll(async () => (await post(url, '{}')).status).toBe(200);
  });

  it('answers before the body is read', async () => {
    const { url } = await listenTo(service, 'webhook', 'webhook.received');
    await exhaust(url);
    const head = `POST ${new URL(url).pathname} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000\r\n\r\n`;
    await expect.poll(() => sendRaw(service, head, { end: true })).toMatch(/^HTTP\/1\.1 429 /);
  });
});

it('all URLs of an account have a limit together, and another account its own', async () => {
  const urls = await Promise.all(
    [1, 2, 3, 4].map(async () => (await listenTo(service, 'webhook', 'webhook.received')).url),
  );
  const answers = await Promise.all([...urls, ...urls].map((url) => post(url, '{}')));
  const refused = answers.filter(({ status }) => status === 429);
  expect(new Set(refused.map(({ body }) => body['message']))).toContain(
    'The URLs of this account take 2 requests per second together.',
  );
  const other = await service.secondAccount();
  const made = { source: 'webhook', event_type: 'webhook.received' };
  const { body } = await service.api<{ trigger: { ingress: { url: string } } }>('POST', '/triggers', made, other);
  const url = body.trigger.ingress.url.replace(/^http:\/\/[^/]+/, service.url);
  expect((await post(url, '{}')).status).toBe(200);
});
