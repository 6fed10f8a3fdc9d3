/** Email destinations through the API, with a real SMTP server that requires STARTTLS and a password. */
import type { Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { makeAuthority } from '../../test/certificates.ts';
import { startService } from '../../test/service.ts';
import { forAll } from '../../test/shared-set-up.ts';
import { addDestination, attemptsOf, makeEvent, makeTrigger, only, whenAll } from './delivery-support.ts';
import { MAIL_PASSWORD, MAIL_USER, startMailServer } from './mail-server.ts';

const trusted = makeAuthority('an authority of mail servers');
const before = getCACertificates('default');
beforeAll(() => setDefaultCACertificates([...before, trusted.cert]));
afterAll(() => setDefaultCACertificates(before));

const server = forAll(() => startMailServer(trusted.issue({ name: 'localhost' })));
const service = forAll(
  () =>
    startService({
      // The address of the mail server is private, and only receivers on this one are allowed.
      env: {
        SLUICE_ALLOW_PRIVATE_CIDRS: '',
        SLUICE_SMTP_HOST: 'localhost',
        SLUICE_SMTP_PORT: String(server.port),
        SLUICE_SMTP_USER: MAIL_USER,
        SLUICE_SMTP_PASSWORD: MAIL_PASSWORD,
        SLUICE_SMTP_FROM: 'Sluice <sluice@example.com>',
      },
      retryScheduleSeconds: [1],
    }),
  (started) => started.stop(),
);

afterEach(() => {
  server.intercept();
  server.password = MAIL_PASSWORD;
});

let count = 0;
const fresh = (name = 'ops') => `${name}@host${++count}.example.com`;

/** Delivers one event; no retries, unless `retry_schedule` has some. */
async function deliver(
  address: string,
  {
    payload = { order: 7 },
    status = 'SUCCEEDED',
    query = '',
    ...more
  }: Partial<Parameters<typeof addDestination>[2]> & {
    payload?: object;
    status?: 'SUCCEEDED' | 'FAILED';
    query?: string;
  } = {},
) {
  const { trigger_id } = await makeTrigger(service, [
    { url: `mailto:${address}${query}`, retry_schedule: [], ...more },
  ]);
  const event = await whenAll(service, await makeEvent(service, trigger_id, payload), status);
  return { event, delivery: only(event.deliveries), attempts: await attemptsOf(service, event) };
}

/** The value of a header, unfolded. */
const headerOf = (source: string, name: string) =>
  headOf(source)
    .replaceAll(/\r\n[ \t]/g, ' ')
    .split('\r\n')
    .find((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))
    ?.slice(name.length + 1)
    .trim();
const headOf = (source: string) => source.split('\r\n\r\n')[0] ?? '';

it('an event is an email with its type and payload, recorded with the reply of the server', async () => {
  const [one, two] = [fresh(), fresh('oncall')];
  const { event, attempts } = await deliver(`${one},${two}`, { payload: { order: 7, name: 'Jürgen' } });
  const mail = only(server.received(one));
  expect(mail).toMatchObject({ from: 'sluice@example.com', to: [one, two], secure: true, user: MAIL_USER });
  const { source } = mail;
  expect(headerOf(source, 'From')).toBe('Sluice <sluice@example.com>');
  expect(headerOf(source, 'To')).toBe(`${one}, ${two}`);
  expect(headerOf(source, 'Subject')).toBe('schedule.elapsed');
  expect(headerOf(source, 'Auto-Submitted')).toBe('auto-generated');
  const text = `{\n  "order": 7,\n  "name": "Jürgen"\n}\n\n${service.services.settings.addresses.console_url}/events/${event.trigger_id}/${event.event_id}\n`;
  const { request, response, reason } = only(attempts);
  expect(reason).toBeNull();
  expect(request).toMatchObject({
    method: 'SEND',
    url: `mailto:${one},${two}`,
    headers: { from: 'Sluice <sluice@example.com>', to: `${one}, ${two}`, subject: 'schedule.elapsed' },
    body: text,
  });
  expect(response).toMatchObject({ status: 250, body: '250 2.0.0 Queued as 42' });
  expect(headerOf(source, 'Message-ID')).toBe(request.headers['message-id']);
  expect(request.headers['message-id']).toContain(event.event_id);
});

it('subject and text are templates; line breaks of values add no headers', async () => {
  const address = fresh();
  const subject = encodeURIComponent('Order {{ payload.id }} of {{payload.who}} €');
  const { attempts } = await deliver(address, {
    query: `?subject=${subject}`,
    body_template: 'Dear {{ payload.who }},\n\n{{ payload.id }} "{{ payload.missing }}"',
    payload: { id: 7, who: 'x\r\nBcc: y@example.com\u2028z' },
  });
  const { source } = only(server.received(address));
  expect(headOf(source)).not.toMatch(/^Bcc:/im);
  expect(only(attempts).request.headers['subject']).toBe('Order 7 of x Bcc: y@example.com z €');
  expect(headerOf(source, 'Subject')).toMatch(/^=\?UTF-8\?Q\?Order_7_of_x_Bcc=3A/);
  expect(only(attempts).request.body).toBe('Dear x\r\nBcc: y@example.com\u2028z,\n\n7 ""');
});

it('a large event is cut, and its page is linked', async () => {
  const address = fresh();
  const { attempts } = await deliver(address, { payload: { text: 'x'.repeat(300_000) } });
  expect(only(attempts).request.body?.length).toBe(100_000);
  expect(only(server.received(address)).source.length).toBeLessThan(150_000);
});

it('a retry has the id of the first attempt', async () => {
  const address = fresh('once');
  const { attempts } = await deliver(address, { retry_schedule: [1] });
  expect(attempts.map(({ response, reason }) => [response?.status, reason])).toEqual([
    [451, 'HTTP_STATUS'],
    [250, null],
  ]);
  expect(attempts[0]?.error_message).toBe('The mail server replied: 451 4.7.1 Greylisted');
  expect(attempts[0]?.request.headers['message-id']).toBe(attempts[1]?.request.headers['message-id']);
  expect(server.received(address)).toHaveLength(1);
});

describe('a rejection', () => {
  it.each([
    ['unknown', 550, 'MESSAGE_REJECTED', '550 5.1.1 No such mailbox'],
    ['busy', 450, 'HTTP_STATUS', '450 4.2.1 Mailbox busy'],
    ['closing', 421, 'HTTP_STATUS', '421 4.3.2 Shutting down'],
  ])('of %s is recorded in the words of the server', async (name, status, reason, words) => {
    const address = fresh(name);
    const { trigger_id } = await makeTrigger(service, [{ url: `mailto:${address}`, retry_schedule: [3600] }]);
    const event = await makeEvent(service, trigger_id);
    const isFinal = reason === 'MESSAGE_REJECTED';
    await whenAll(service, event, isFinal ? 'FAILED' : 'RETRYING');
    const attempt = only(await attemptsOf(service, event));
    expect(attempt).toMatchObject({ response: { status, body: words }, reason });
    expect(attempt.error_message).toContain(words);
  });

  it('of the text ends the delivery', async () => {
    const { delivery } = await deliver(fresh(), {
      body_template: 'X-Spam-Test',
      retry_schedule: [1],
      status: 'FAILED',
    });
    expect(delivery).toMatchObject({ reason: 'MESSAGE_REJECTED', last_response_status: 554, attempts: 1 });
  });

  it('of some recipients fails the delivery, and names them', async () => {
    const [good, bad] = [fresh(), fresh('unknown')];
    const { delivery } = await deliver(`${good},${bad}`, { retry_schedule: [1], status: 'FAILED' });
    expect(server.received(good)).toHaveLength(1);
    expect(delivery).toMatchObject({ reason: 'MESSAGE_REJECTED', attempts: 1, last_response_status: 250 });
    expect(delivery.last_error_message).toBe(
      `The mail server rejected 1 of 2 recipients: ${bad}: 550 5.1.1 No such mailbox`,
    );
  });

  it('of credentials is retried, and the password is in no record', async () => {
    server.rejections = 1;
    const { attempts } = await deliver(fresh(), { retry_schedule: [1] });
    const [refused, ...more] = attempts;
    expect(more.map(({ response }) => response?.status)).toEqual([250]);
    expect(refused).toMatchObject({ response: { status: 535, body: '535 5.7.8 Rejected: sluice •••' } });
    expect(JSON.stringify(refused) + service.logged()).not.toContain(MAIL_PASSWORD);
  });
});

describe('a server that', () => {
  it.each<[string, (socket: Socket) => void, object]>([
    ['says nothing', () => {}, { reason: 'TIMEOUT', last_error_message: 'No complete response within 1 seconds.' }],
    ['never ends its greeting', (socket) => drip(socket, '220-hello\r\n'), { reason: 'TIMEOUT' }],
    ['stalls after EHLO', (socket) => void socket.write('220 hello\r\n'), { reason: 'TIMEOUT' }],
    ['is none', (socket) => void socket.write('SSH-2.0-OpenSSH_9.6\r\n'), { reason: 'CONNECTION_RESET' }],
    ['sends binary', (socket) => void socket.write(Buffer.from([0, 255, 13, 10, 0])), { reason: 'CONNECTION_RESET' }],
    ['closes', (socket) => socket.end(), { reason: 'CONNECTION_RESET' }],
    ['resets', (socket) => socket.resetAndDestroy(), { reason: 'CONNECTION_RESET' }],
    [
      'is busy',
      (socket) => socket.end('421 4.7.0 Too many connections\r\n'),
      { reason: 'HTTP_STATUS', last_response_status: 421 },
    ],
    ['has no TLS', withoutTls, { reason: 'TLS_ERROR' }],
  ])('%s fails the attempt', async (_, handler, expected) => {
    server.intercept(handler);
    const { delivery } = await deliver(fresh(), { status: 'FAILED', timeout_seconds: 1 });
    expect(delivery).toMatchObject(expected);
    await expect.poll(() => service.services.pipeline.lanes.figures()).toMatchObject({ inFlight: 0, waiting: 0 });
  });
});

function withoutTls(socket: Socket): void {
  socket.write('220 hello\r\n');
  socket.on('data', (command) => socket.write(String(command).startsWith('EHLO') ? '250 mine\r\n' : '502 What?\r\n'));
}

/** Writes the text again and again, until the connection is closed. */
function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 20);
  socket.on('close', () => clearInterval(timer));
}

describe('a test and the diagnosis', () => {
  const call = async <T>(url: string, action: string) => {
    const { trigger_id } = await makeTrigger(service);
    const { destination_id } = await addDestination(service, trigger_id, { url });
    return (await service.api<T>('POST', `/triggers/${trigger_id}/destinations/${destination_id}:${action}`)).body;
  };

  it('send an email, and check the server without one', async () => {
    const address = fresh();
    const { result } = await call<Reply<'destinationTest'>>(`mailto:${address}`, 'test');
    expect(result).toMatchObject({ ok: true, request: { method: 'SEND' }, response: { status: 250 } });
    expect(server.received(address)).toHaveLength(1);
    const { steps } = await call<Reply<'destinationDoctor'>>(`mailto:${address}`, 'doctor');
    expect(steps.map(({ step, ok }) => [step, ok])).toEqual([
      ['DNS', true],
      ['CONNECT', true],
      ['ANSWER', true],
    ]);
    expect(server.received(address)).toHaveLength(1);
  });

  it('name what the server rejects', async () => {
    const { result } = await call<Reply<'destinationTest'>>(`mailto:${fresh('unknown')}`, 'test');
    expect(result).toMatchObject({ ok: false, reason: 'MESSAGE_REJECTED', response: { status: 550 } });
    server.password = 'another';
    const { steps } = await call<Reply<'destinationDoctor'>>(`mailto:${fresh()}`, 'doctor');
    expect(steps.at(-1)).toMatchObject({ step: 'ANSWER', ok: false, detail: expect.stringContaining('535') });
    expect(JSON.stringify(steps)).not.toContain(MAIL_PASSWORD);
  });
});

describe('invalid input is rejected with its field', () => {
  const create = async (body: object) => {
    const { trigger_id } = await makeTrigger(service);
    return service.api<{ message: string }>('POST', `/triggers/${trigger_id}/destinations`, body);
  };

  it.each([
    [{ url: 'mailto:' }, 'url: expected email addresses'],
    [{ url: 'mailto:a@b.c%0d%0aBcc:x@example.com' }, 'url: expected email addresses'],
    [{ url: 'mailto:a@b.c\r\nBcc:x@example.com' }, 'url: '],
    [{ url: 'mailto:a@b.c?subject=x%0d%0aBcc:x@example.com' }, 'url: subject: expected text in one line'],
    [{ url: 'mailto:a@b.c?subject={{nothing}}' }, 'url: subject: position 3: expected payload'],
    [{ url: 'mailto:a@b.c?cc=x@example.com' }, 'url: expected one subject='],
    [{ url: `mailto:${Array.from({ length: 21 }, (_, i) => `a${i}@b.c`).join(',')}` }, 'url: expected at most 20'],
    [{ url: 'mailto:a@b.c', headers: { Bcc: 'x@example.com' } }, 'headers: expected none'],
    [{ url: 'mailto:a@b.c', forward_headers: ['X-Id'] }, 'forward_headers: expected none'],
    [{ url: 'mailto:a@b.c', body_source: 'ORIGINAL' }, 'body_source: expected EVENT'],
  ])('%j', async (body, message) => {
    const answer = await create(body);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(message);
  });

  it('headers of a stored destination', async () => {
    const { trigger_id } = await makeTrigger(service);
    const { destination_id } = await addDestination(service, trigger_id, { url: 'mailto:a@b.c' });
    const answer = await service.api('PATCH', `/triggers/${trigger_id}/destinations/${destination_id}`, {
      headers: { Bcc: 'x@example.com' },
    });
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining('headers: ') } });
  });
});
