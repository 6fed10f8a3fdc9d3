/** Sources that verify the URL or send a secret before they send events. */
import { describe, expect, it } from 'vitest';
import { serviceForAll } from '../../test/shared-set-up.ts';
import { causesOf, hmacHex, listenTo, patchTrigger, post, storedPayloads, type Trigger } from './ingress-support.ts';

const service = serviceForAll();

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

  it('sends its secret, which can be revealed until a request signed with it arrives', async () => {
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
    // After this it can't be replaced.
    expect((await post(url, '{"verification_token":"secret_evil"}')).status).toBe(401);
    expect((await post(url, event('page.moved'), signed(event('page.moved')))).status).toBe(200);
    expect(await storedPayloads(service, trigger)).toEqual([first, event('page.moved')]);
    expect(service.logged()).not.toContain(token);
  });

  it('accepts a new handshake after its secret is deleted', async () => {
    const { trigger, url } = await listenTo(service, 'notion', '*', { secret: token });
    expect((await post(url, '{"verification_token":"secret_new"}')).status).toBe(401);
    await patchTrigger(service, trigger, { secret: null });
    expect((await post(url, '{"verification_token":"secret_new"}')).status).toBe(200);
    expect((await reveal(trigger)).body.trigger.ingress?.signing_secret).toBe('secret_new');
  });

  it('creates events of the selected type and page, once each', async () => {
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

describe('slack', () => {
  const secret = '8f742231b10e8888abcd99yyyzzz85a5';
  const hello =
    '{"token":"Jhj5dZrVaK7ZwHHjRyZWjbDl","challenge":"3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P","type":"url_verification"}';
  const signed = (text: string, by = secret) => {
    const at = String(Math.floor(Date.now() / 1000));
    return { 'x-slack-request-timestamp': at, 'x-slack-signature': `v0=${hmacHex(by, `v0:${at}:${text}`)}` };
  };

  it('verifies the URL before and after the secret is set', async () => {
    const { trigger, url } = await listenTo(service, 'slack', 'app_mention');
    for (const _ of ['before', 'after']) {
      const answer = await post(url, hello, signed(hello));
      expect(answer).toMatchObject({ status: 200, text: JSON.parse(hello).challenge });
      expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      await patchTrigger(service, trigger, { secret });
    }
    expect((await post(url, hello, signed(hello, 'other'))).status).toBe(401);
    expect(await storedPayloads(service, trigger)).toEqual([]);
  });
});

describe('zoom', () => {
  const secret = 'a-secret-token';
  const asked =
    '{"payload":{"plainToken":"qgg8vlvZRS6UYooatFL8Aw"},"event_ts":1654503849680,"event":"endpoint.url_validation"}';
  const signed = (text: string, by = secret) => {
    const at = String(Math.floor(Date.now() / 1000));
    return { 'x-zm-request-timestamp': at, 'x-zm-signature': `v0=${hmacHex(by, `v0:${at}:${text}`)}` };
  };

  it('gets the proof of the URL after the secret is set', async () => {
    const { trigger, url } = await listenTo(service, 'zoom', 'meeting.started');
    expect((await post(url, asked, signed(asked))).status).toBe(401);
    expect(await causesOf(service, trigger)).toEqual(['SECRET_MISSING']);
    await patchTrigger(service, trigger, { secret });
    const answer = await post(url, asked, signed(asked));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.body).toEqual({
      plainToken: 'qgg8vlvZRS6UYooatFL8Aw',
      encryptedToken: hmacHex(secret, 'qgg8vlvZRS6UYooatFL8Aw'),
    });
    // Other callers can’t obtain the HMAC of a text.
    expect((await post(url, asked, signed(asked, 'other'))).status).toBe(401);
    expect(await storedPayloads(service, trigger)).toEqual([]);
  });

  it('distinguishes two participants who join in the same millisecond', async () => {
    const { trigger, url } = await listenTo(service, 'zoom', 'meeting', { secret });
    const joins = (participant_uuid: string) =>
      JSON.stringify({
        event: 'meeting.participant_joined',
        event_ts: 1626230691572,
        payload: { object: { uuid: '4444AAAiAAAAAiAiAiiAii==', participant: { participant_uuid } } },
      });
    for (const who of ['one', 'two', 'one']) await post(url, joins(who), signed(joins(who)));
    expect(await storedPayloads(service, trigger)).toEqual([joins('one'), joins('two')]);
  });

  it('stores requests that are not certain duplicates', async () => {
    const { trigger, url } = await listenTo(service, 'zoom', '*', { secret });
    const made = '{"event":"user.created","event_ts":1626230691572,"payload":{"object":{"email":"a@example.com"}}}';
    for (const _ of [1, 2]) await post(url, made, signed(made));
    expect(await storedPayloads(service, trigger)).toEqual([made, made]);
  });
});

describe('dropbox', () => {
  it('gets its challenge back, and other GET requests are rejected', async () => {
    const { trigger, url } = await listenTo(service, 'dropbox', 'files.changed');
    const answer = await post(`${url}?challenge=%3Cscript%3E`, '', {}, 'GET');
    expect(answer).toMatchObject({ status: 200, text: '<script>' });
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await post(`${url}?other=1`, '', {}, 'GET')).status).toBe(405);
    expect(await storedPayloads(service, trigger)).toEqual([]);
  });
});

describe('intercom', () => {
  it('verifies the URL with a HEAD request, also before the secret is entered', async () => {
    const { trigger, url } = await listenTo(service, 'intercom', '*');
    const answer = await post(url, '', {}, 'HEAD');
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect((await post(url, '', {}, 'GET')).status).toBe(405);
    expect((await post(url, '{}')).status).toBe(401);
    expect(await causesOf(service, trigger)).toEqual(['SECRET_MISSING', 'WRONG_METHOD']);
    expect(await storedPayloads(service, trigger)).toEqual([]);
    const other = await listenTo(service, 'heroku', '*');
    expect((await post(other.url, '', {}, 'HEAD')).status).toBe(405);
  });
});

describe('asana', () => {
  const secret = 'b537207f20cbfa02357cf448134da559e8bd39d61597dcd5631b8012eae53e81';
  const signed = (text: string, by = secret) => ({ 'x-hook-signature': hmacHex(by, text) });
  const one = (gid: string, action = 'changed') =>
    JSON.stringify({ resource: { gid, resource_type: 'task' }, action, parent: null });

  it('sends its secret in a header and gets it back, until a request signed with it arrives', async () => {
    const { trigger, url } = await listenTo(service, 'asana', '*');
    for (const given of ['an-earlier-one', secret]) {
      const answer = await post(url, '{}', { 'x-hook-secret': given });
      expect([answer.status, answer.headers.get('x-hook-secret')]).toEqual([200, given]);
    }
    const path = `/triggers/${trigger.trigger_id}`;
    const { body } = await service.api<{ trigger: Trigger }>('GET', path);
    expect(body.trigger.ingress).toMatchObject({ has_secret: true, can_reveal: false });
    const text = `{"events":[${one('1')}]}`;
    expect((await post(url, text, signed(text, 'an-earlier-one'))).status).toBe(401);
    expect((await post(url, text, signed(text))).status).toBe(200);
    // After this it can't be replaced.
    const late = await post(url, '{}', { 'x-hook-secret': 'evil' });
    expect([late.status, late.headers.get('x-hook-secret')]).toEqual([401, null]);
    expect((await post(url, text, signed(text))).status).toBe(200);
    expect(service.logged()).not.toContain(secret);
  });

  it('sends several events per request, or none as a heartbeat', async () => {
    const { trigger, url } = await listenTo(service, 'asana', 'task.changed', { secret });
    for (const text of ['{"events":[]}', '{"events":{}}', '{}', `[${one('9')}]`])
      expect((await post(url, text, signed(text))).body, text).toEqual({ event_ids: [] });
    const text = `{"a":[0], "events" : [ ${one('1')},${one('2', 'added')} , ${one('1')} ]}`;
    expect((await post(url, text, signed(text))).body['event_ids']).toHaveLength(2);
    expect(await storedPayloads(service, trigger)).toEqual([one('1'), one('1')]);
    const many = `{"events":[${Array(1001).fill(1)}]}`;
    expect((await post(url, many, signed(many))).status).toBe(413);
  });
});

it('trello verifies the URL with a HEAD, before the secret is entered', async () => {
  const { url } = await listenTo(service, 'trello', '*');
  const head = await fetch(url, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length')]).toEqual([200, '0']);
  expect((await fetch(url)).status).toBe(405);
  expect((await post(url, '{}', { 'x-trello-webhook': 'AAAA' })).status).toBe(401);
  const { url: other } = await listenTo(service, 'segment', '*');
  expect((await fetch(other, { method: 'HEAD' })).status).toBe(405);
});
