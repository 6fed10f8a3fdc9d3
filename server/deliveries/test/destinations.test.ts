import { beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import {
  addDestination,
  attemptsOf,
  makeEvent,
  makeTrigger,
  only,
  patchDestination,
  whenAll,
} from './delivery-support.ts';

type Destination = Reply<'destinationGet'>['destination'];
type Answer = { destination: Destination; message: string };

const sink = sinkForAll();
const service = serviceForAll();
let trigger_id: string;
beforeAll(async () => {
  trigger_id = (await makeTrigger(service)).trigger_id;
});

const read = async (destination_id: string, trigger = trigger_id) =>
  (await service.api<Answer>('GET', `/triggers/${trigger}/destinations/${destination_id}`)).body.destination;
const create = (body: object) => service.api<Answer>('POST', `/triggers/${trigger_id}/destinations`, body);
const patch = (destination_id: string, body: object) =>
  service.api<Answer>('PATCH', `/triggers/${trigger_id}/destinations/${destination_id}`, body);

describe('a destination', () => {
  it('shows its signing secret once, and masks after that', async () => {
    const made = await addDestination(service, trigger_id, { url: 'https://example.com/hook' });
    expect(made).toMatchObject({
      url: 'https://example.com/hook',
      method: 'POST',
      name: 'example.com',
      headers: {},
      body_template: null,
      status: 'ENABLED',
      reason: null,
    });
    expect(made.signing_secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const masked = await read(made.destination_id);
    expect(masked).toEqual({ ...made, signing_secret: `whsec_••••••••${made.signing_secret.slice(-4)}` });
    expect(await patchDestination(service, trigger_id, made.destination_id, { name: 'Other' })).toMatchObject({
      name: 'Other',
      signing_secret: masked.signing_secret,
    });
  });

  it('keeps header values behind their masks', async () => {
    const headers = { Authorization: 'Bearer abcdefghijkl', 'X-Pin': '1234' };
    const { destination_id } = await addDestination(service, trigger_id, { url: `${sink.url}/masked`, headers });
    const masked = (await read(destination_id)).headers;
    expect(masked).toEqual({ Authorization: '••••••••ijkl', 'X-Pin': '••••••••' });
    const changed = await patchDestination(service, trigger_id, destination_id, {
      headers: { authorization: masked['Authorization'] ?? '', 'X-Pin': 'a-new-longer-pin' },
    });
    expect(changed.headers).toEqual({ authorization: '••••••••ijkl', 'X-Pin': '••••••••-pin' });
    await makeEvent(service, trigger_id);
    await expect
      .poll(() => sink.received('/masked')[0]?.headers)
      .toMatchObject({
        authorization: 'Bearer abcdefghijkl',
        'x-pin': 'a-new-longer-pin',
      });
    expect(await patch(destination_id, { headers: { 'X-Other': '••••••••ijkl' } })).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^headers\.X-Other: expected a value/) },
    });
    expect((await patchDestination(service, trigger_id, destination_id, { headers: {} })).headers).toEqual({});
    expect((await service.api('DELETE', `/triggers/${trigger_id}/destinations/${destination_id}`)).status).toBe(200);
  });

  it('changes only the given fields, and null removes the template', async () => {
    const made = await addDestination(service, trigger_id, {
      url: 'https://example.com/',
      name: 'One',
      headers: { 'X-A': 'abc' },
      body_template: '{"a": {{ payload.a }}}',
    });
    const before = await read(made.destination_id);
    const patched = await patchDestination(service, trigger_id, made.destination_id, { method: 'PUT' });
    expect(patched).toEqual({ ...before, method: 'PUT', updated_at: expect.any(String) });
    expect(await patchDestination(service, trigger_id, made.destination_id, { body_template: null })).toMatchObject({
      body_template: null,
      headers: { 'X-A': '••••••••' },
    });
    expect(await patchDestination(service, trigger_id, made.destination_id, { status: 'DISABLED' })).toMatchObject({
      status: 'DISABLED',
      reason: 'MANUAL',
    });
    const listed = await service.api<{ destinations: object[] }>('GET', `/triggers/${trigger_id}/destinations`);
    const { destination_id, url, name } = made;
    expect(listed.body.destinations).toContainEqual({
      destination_id,
      url,
      name,
      status: 'DISABLED',
      reason: 'MANUAL',
    });
  });

  it('stores no secret in clear text', async () => {
    const { signing_secret, destination_id } = await addDestination(service, trigger_id, {
      url: 'https://example.com/',
      headers: { 'X-Key': 'do-not-share' },
    });
    const row = await service.services.db
      .selectFrom('destinations')
      .selectAll()
      .where('destination_id', '=', destination_id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain('do-not-share');
    expect(JSON.stringify(row)).not.toContain(signing_secret.slice(6));
  });

  it('is limited to twenty per trigger', async () => {
    const full = await makeTrigger(
      service,
      Array.from({ length: 20 }, () => ({ url: 'https://example.com/' })),
    );
    const answer = await service.api<Answer>('POST', `/triggers/${full.trigger_id}/destinations`, {
      url: 'https://example.com/',
    });
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining('at most 20') } });
  });

  it('of another account or trigger is not found', async () => {
    const { destination_id } = await addDestination(service, trigger_id, { url: 'https://example.com/' });
    const { key } = await service.secondAccount();
    const other = await makeTrigger(service);
    for (const [method, body] of [['GET'], ['PATCH', { name: 'x' }], ['DELETE']] as const) {
      const own = `/triggers/${trigger_id}/destinations/${destination_id}`;
      expect((await service.api(method, own, body, { key })).status).toBe(404);
      const astray = `/triggers/${other.trigger_id}/destinations/${destination_id}`;
      expect((await service.api(method, astray, body)).status).toBe(404);
    }
    const added = await service.api(
      'POST',
      `/triggers/${trigger_id}/destinations`,
      { url: 'https://a.example/' },
      { key },
    );
    expect(added.status).toBe(404);
  });
});

describe('invalid input is rejected with its field', () => {
  it.each([
    [{}, 'url: '],
    [{ url: 'ftp://example.com/' }, 'url: expected an absolute http or https URL'],
    [{ url: 'mailto:ops@example.com' }, 'url: this installation sends no email: an operator sets SLUICE_SMTP_HOST'],
    [{ url: 'https://user:pw@example.com/' }, 'url: expected a URL without user name'],
    [{ url: 'https://example.com/#x' }, 'url: expected a URL without a # fragment'],
    [{ url: 'https://example.com/a b' }, 'url: expected a URL without spaces'],
    [{ url: 'http://10.0.0.1/' }, 'url: 10.0.0.1 is not a public address (private)'],
    [{ url: 'http://169.254.169.254/latest' }, 'url: '],
    [{ url: 'http://0xa000001/' }, 'url: 10.0.0.1 is not a public address'],
    [{ url: 'http://[fd00::1]/' }, 'url: '],
    [{ url: 'http://[::ffff:10.0.0.1]/' }, 'url: '],
    [{ url: 'http://[::10.0.0.1]/' }, 'url: ::a00:1 is not a public address'],
    [{ url: 'https://example.com', method: 'HEAD' }, 'method: '],
    [{ url: 'https://example.com', headers: { Host: 'x' } }, 'headers.Host: this header is set by the service'],
    [{ url: 'https://example.com', headers: { 'webhook-id': 'x' } }, 'headers.webhook-id: '],
    [{ url: 'https://example.com', headers: { 'X-A': 'a\r\nX-B: b' } }, 'headers.X-A: '],
    [{ url: 'https://example.com', headers: { 'X-A': '••••••••' } }, 'headers.X-A: expected a value'],
    [
      { url: 'https://example.com', body_template: '{"a": {{ pay.load }}' },
      'body_template: position 10: expected payload',
    ],
    [{ url: 'https://example.com', body_template: '{"a": {{ payload.a }' }, 'body_template: position 7: expected }}'],
    [{ url: 'https://example.com', body_template: 'a\u0000' }, 'body_template: expected no NUL'],
    [{ url: 'https://example.com', signing_secret: 'whsec_mine' }, 'signing_secret: unknown field'],
  ])('%j', async (body, message) => {
    const answer = await create(body);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(message);
  });

  it('also for a patch, and nothing is changed', async () => {
    const { destination_id } = await addDestination(service, trigger_id, { url: 'https://example.com/' });
    const before = await read(destination_id);
    for (const [body, message] of [
      [{ url: 'http://192.168.1.1/', name: 'x' }, 'url: '],
      [{ name: 'x', body_template: '{{' }, 'body_template: '],
      [{ name: '' }, 'name: '],
      [{ status: 'GONE' }, 'status: '],
    ] as const) {
      const answer = await patch(destination_id, body);
      expect(answer.status).toBe(400);
      expect(answer.body.message).toContain(message);
    }
    expect(await read(destination_id)).toEqual(before);
  });
});

describe('a function of the account', () => {
  const makeFunction = async (name: string, code: string, key?: string) => {
    const { status, body } = await service.api<Reply<'functionCreate'>>(
      'POST',
      '/functions',
      { name, runtime: 'nodejs24.x', files: { 'index.ts': code } },
      key ? { key } : {},
    );
    expect(status, JSON.stringify(body)).toBe(200);
    return body.function;
  };

  it('is called directly, and the run is linked to the attempt', async () => {
    const fn = await makeFunction(
      'Receiver',
      `export default { async fetch(request: Request) {
        const event = await request.json();
        return Response.json({ got: event.data, path: new URL(request.url).pathname }, { status: 202 });
      } };`,
    );
    expect(fn.visibility).toBe('PRIVATE');
    const trigger = await makeTrigger(service, [{ url: `${fn.url}/hooks/in?x=1` }]);
    expect(only(trigger.destinations).name).toBe('receiver');
    const event = await whenAll(service, await makeEvent(service, trigger.trigger_id, { a: 1 }), 'SUCCEEDED');
    const delivery = only(event.deliveries);
    expect(delivery).toMatchObject({ last_response_status: 202, last_function_id: fn.function_id });
    expect(JSON.parse(delivery.last_response_body ?? '')).toEqual({ got: { a: 1 }, path: '/hooks/in' });
    const attempt = only(await attemptsOf(service, event));
    expect(attempt).toMatchObject({ run_id: delivery.last_run_id, function_id: fn.function_id });
    const run = await service.api<Reply<'runGet'>>('GET', `/functions/${fn.function_id}/runs/${delivery.last_run_id}`);
    expect(run.body).toMatchObject({ status: 'OK', response: { status: 202 } });
  });

  it('that throws or is deleted is a failed attempt', async () => {
    const fn = await makeFunction('Thrower', `export default { fetch() { throw new Error('no'); } };`);
    const trigger = await makeTrigger(service, [{ url: fn.url }]);
    const thrown = await whenAll(service, await makeEvent(service, trigger.trigger_id), 'RETRYING');
    expect(only(thrown.deliveries)).toMatchObject({ reason: 'HTTP_STATUS', last_response_status: 500 });
    expect(only(thrown.deliveries).last_run_id).not.toBeNull();
    await service.api('DELETE', `/functions/${fn.function_id}`);
    const gone = await whenAll(service, await makeEvent(service, trigger.trigger_id), 'RETRYING');
    expect(only(gone.deliveries)).toMatchObject({
      reason: 'HTTP_STATUS',
      last_response_status: 404,
      last_run_id: null,
    });
  });

  it('must exist, and belong to the account or be open', async () => {
    const { key } = await service.secondAccount();
    const foreign = await makeFunction('Foreign', `export default { fetch: () => new Response('') };`, key);
    for (const url of [foreign.url, foreign.url.replace('//', '//no-such-')]) {
      expect(await create({ url })).toMatchObject({
        status: 400,
        body: { message: expect.stringMatching(/^url: no function of this account/) },
      });
    }
  });
});
