/** Each source as it really sends: its signature, its handshake, its own ids, its events. Vendors' libraries do the signing. */
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  hmacHex,
  listenTo,
  patchTrigger,
  post,
  rejectionsOf,
  storedPayloads,
  type Trigger,
} from './ingress-support.ts';
import { type Service, startService } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const causesOf = async (trigger: Trigger) =>
  (await rejectionsOf(service, trigger)).rejections.map(({ cause }) => cause);

describe('standard-webhooks', () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const body = '{"type":"contact.created","data":{"id":1}}';
  const signed = (at: Date, id = 'msg_1', text = body, by = secret) => ({
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(by).sign(id, at, text),
  });

  it('takes what the library signs, once for each id', async () => {
    const { trigger, url } = await listenTo(service, 'standard-webhooks', 'webhook.received', { secret });
    for (const id of ['msg_1', 'msg_1', 'msg_2'])
      expect((await post(url, body, signed(new Date(), id))).status).toBe(200);
    expect(await storedPayloads(service, trigger)).toEqual([body, body]);
    const svix = Object.entries(signed(new Date(), 'msg_3')).map(([name, value]) => [`svix-${name.slice(8)}`, value]);
    expect((await post(url, body, Object.fromEntries(svix))).status).toBe(200);
    expect(await storedPayloads(service, trigger)).toHaveLength(3);
  });

  it('refuses what is old, of another time, id, body or secret', async () => {
    const { trigger, url } = await listenTo(service, 'standard-webhooks', 'webhook.received', { secret });
    const now = signed(new Date());
    const minutes = (count: number) => new Date(Date.now() + count * 60_000);
    const bad = [
      [signed(minutes(-6)), body, 'TIMESTAMP_STALE'],
      [signed(minutes(6)), body, 'TIMESTAMP_STALE'],
      [{ ...now, 'webhook-timestamp': String(Number(now['webhook-timestamp']) - 1) }, body, 'SIGNATURE_WRONG'],
      [{ ...now, 'webhook-id': 'msg_2' }, body, 'SIGNATURE_WRONG'],
      [now, body.replace('1', '2'), 'SIGNATURE_WRONG'],
      [signed(new Date(), 'msg_1', body, `whsec_${Buffer.alloc(32, 8).toString('base64')}`), body, 'SIGNATURE_WRONG'],
      [{}, body, 'SIGNATURE_MISSING'],
    ] as const;
    for (const [headers, text] of bad) expect((await post(url, text, headers)).status).toBe(401);
    expect(await causesOf(trigger)).toEqual(bad.map(([, , cause]) => cause).toReversed());
    expect(await storedPayloads(service, trigger)).toEqual([]);
  });

  it('keeps the messages of the type that is wanted', async () => {
    const parameters = { type: 'contact.created' };
    const { trigger, url } = await listenTo(service, 'standard-webhooks', 'webhook.received', { secret, parameters });
    const other = '{"type":"contact.deleted"}';
    const answer = await post(url, other, signed(new Date(), 'msg_1', other));
    expect(answer).toMatchObject({ status: 200, body: { event_ids: [] } });
    expect((await post(url, body, signed(new Date()))).status).toBe(200);
    expect(await storedPayloads(service, trigger)).toEqual([body]);
  });
});

describe('notion', () => {
  const token = 'secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl';
  const page = '153104cd-477e-809d-8dc4-ff2d96ae3090';
  const event = (type: string, id = type, entity = page) =>
    JSON.stringify({ id, type, entity: { id: entity, type: 'page' }, data: {} });
  const signed = (text: string, secret = token) => ({ 'x-notion-signature': `sha256=${hmacHex(secret, text)}` });
  const reveal = ({ trigger_id }: Trigger) =>
    service.api<{ trigger: Trigger; message: string }>('POST', `/triggers/${trigger_id}/secret:reveal`);
  const readIngress = async ({ trigger_id }: Trigger) =>
    (await service.api<{ trigger: Trigger }>('GET', `/triggers/${trigger_id}`)).body.trigger.ingress;

  it('hands over its secret, which is shown until something signed with it comes', async () => {
    const { trigger, url } = await listenTo(service, 'notion', '*');
    expect(trigger.ingress).toMatchObject({ secret: 'theirs', has_secret: false, can_reveal: false });
    expect((await reveal(trigger)).status).toBe(400);
    expect((await post(url, '{"verification_token":"secret_first"}')).status).toBe(200);
    expect((await post(url, JSON.stringify({ verification_token: token }))).status).toBe(200);
    expect(await readIngress(trigger)).toMatchObject({ has_secret: true, can_reveal: true });
    expect(JSON.stringify(await readIngress(trigger))).not.toContain(token);
    expect((await reveal(trigger)).body.trigger.ingress?.signing_secret).toBe(token);

    const first = event('page.created');
    expect((await post(url, first, signed(first, 'secret_first'))).status).toBe(401);
    expect((await post(url, first, signed(first))).status).toBe(200);
    expect(await readIngress(trigger)).toMatchObject({ has_secret: true, can_reveal: false });
    expect((await reveal(trigger)).status).toBe(400);
    // From now on nobody can put another one in its place.
    expect((await post(url, '{"verification_token":"secret_evil"}')).status).toBe(401);
    expect((await post(url, event('page.moved'), signed(event('page.moved')))).status).toBe(200);
    expect(await storedPayloads(service, trigger)).toEqual([first, event('page.moved')]);
    expect(service.logged()).not.toContain(token);
  });

  it('begins anew once its secret is forgotten', async () => {
    const { trigger, url } = await listenTo(service, 'notion', '*', { secret: token });
    expect((await post(url, '{"verification_token":"secret_new"}')).status).toBe(401);
    await patchTrigger(service, trigger, { secret: null });
    expect((await post(url, '{"verification_token":"secret_new"}')).status).toBe(200);
    expect((await reveal(trigger)).body.trigger.ingress?.signing_secret).toBe('secret_new');
  });

  it('becomes events of the type and the page that are wanted, once each', async () => {
    const send = async (url: string, text: string) => expect((await post(url, text, signed(text))).status).toBe(200);
    const pages = await listenTo(service, 'notion', 'page', { secret: token });
    const moved = await listenTo(service, 'notion', 'page.moved', {
      secret: token,
      parameters: { entity_id: page.toUpperCase() },
    });
    for (const { url } of [pages, moved]) {
      for (const text of [event('page.moved'), event('page.moved'), event('page.created'), event('comment.created')])
        await send(url, text);
      await send(url, event('page.moved', 'elsewhere', '0ef104cd-477e-80e1-8571-cfd10e92339a'));
      await send(url, event('pages', 'no page'));
    }
    expect(await storedPayloads(service, pages.trigger)).toEqual([
      event('page.moved'),
      event('page.created'),
      event('page.moved', 'elsewhere', '0ef104cd-477e-80e1-8571-cfd10e92339a'),
    ]);
    expect(await storedPayloads(service, moved.trigger)).toEqual([event('page.moved')]);
  });
});
