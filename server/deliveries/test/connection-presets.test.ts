/**
 * The ready-made requests to apps, sent to a receiver that checks what the documentation of each vendor requires. The
 * signatures of AWS are computed here from its documentation, independently of the product's code.
 */
import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CONNECTION_PRESETS, type ConnectionPreset, filledPreset } from '../../../contract/text/connection-presets.ts';
import { catalogue } from '../../connections/apps/catalogue.ts';
import { connect } from '../../connections/test/connecting.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import type { Received } from '../../test/sink.ts';
import { attemptsOf, makeEvent, makeTrigger, only, whenAll } from './delivery-support.ts';

const sink = sinkForAll();
const service = serviceForAll({ retryScheduleSeconds: [] });

const AWS: Record<string, string> = {
  'aws-sqs': 'sqs',
  'aws-sns': 'sns',
  'aws-eventbridge': 'events',
  s3: 's3',
};
const KEYS = {
  access_key_id: 'AKIDEXAMPLE1',
  secret_access_key: 'secret/of+the/user/123',
  session_token: 'session+token/1',
};
const PAYLOAD = { id: 7, email: 'ada@example.com', note: 'a "quoted" line\nand <b> & é' };

type Sent = { received: Received; event_id: string; received_at: string; json: () => unknown };

let made = 0;
/** A custom app with the credentials of the catalogue's app, at the receiver. */
async function connectedAs(app: string): Promise<{ own: string; id: string; base: string }> {
  const base = `/vendor-${++made}`;
  const own = `own-${app}-${made}`;
  const service_name = AWS[app];
  const known = catalogue.get(app)?.definition;
  expect(known, `${app} is in the catalogue`).toBeDefined();
  const method = service_name
    ? { method: 'API_KEY', aws: { region: 'eu-central-1', service: service_name } }
    : { method: 'API_KEY', place: { in: 'header', name: 'Authorization', template: 'Bearer {api_key}' } };
  const answer = await service.api('POST', '/apps', {
    app: own,
    name: own,
    // The path of a signed request is that of the vendor, without a base path.
    base_url: service_name ? sink.url : sink.url + base,
    default_headers: known?.default_headers,
    gateway: { failure: known?.gateway.failure ?? null },
    methods: [method],
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const id = await connect(service, own, service_name ? KEYS : { api_key: 'vendor-api-key-1' });
  return { own, id, base: service_name ? '' : base };
}

const presetOf = (name: string): ConnectionPreset => {
  const preset = CONNECTION_PRESETS.find((each) => each.preset === name);
  if (!preset) throw new Error(`no preset ${name}`);
  return preset;
};

/** Sends an event with the preset, and returns the request that arrives at the path. */
async function sendWith(
  name: string,
  path: string,
  values: Record<string, string>,
  answer: { status?: number; body?: string } = {},
): Promise<Sent> {
  const preset = presetOf(name);
  const { id, base } = await connectedAs(preset.app);
  sink.answer(base + path, answer);
  const before = sink.received(base + path).length;
  const initial = Object.fromEntries(preset.parameters.map((each) => [each.name, each.initial ?? '']));
  const trigger = await makeTrigger(service, [filledPreset(preset, id, { ...initial, ...values })]);
  const event = await whenAll(service, await makeEvent(service, trigger.trigger_id, PAYLOAD), 'SUCCEEDED');
  const attempts = JSON.stringify(await attemptsOf(service, event));
  for (const secret of ['vendor-api-key-1', KEYS.secret_access_key, KEYS.session_token, 'AWS4-HMAC'])
    expect(attempts).not.toContain(secret);
  const received = only(sink.received(base + path).slice(before));
  if (AWS[preset.app]) expectSigned(received, AWS[preset.app] ?? '');
  else expect(received.headers.authorization).toBe('Bearer vendor-api-key-1');
  expect(received.method).toBe(preset.method);
  const { event_id, received_at } = event;
  return { received, event_id, received_at, json: () => JSON.parse(received.body) as unknown };
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** Computes the signature of what arrived, as the documentation of Signature Version 4 describes. */
function expectSigned({ method, path, headers, body }: Received, name: string): void {
  const authorization = String(headers.authorization);
  const [, credential = '', names = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE1\/(\S+), SignedHeaders=(\S+), Signature=([0-9a-f]{64})$/.exec(
      authorization,
    ) ?? [];
  const time = String(headers['x-amz-date']);
  expect(time).toMatch(/^\d{8}T\d{6}Z$/);
  expect(credential).toBe(`${time.slice(0, 8)}/eu-central-1/${name}/aws4_request`);
  expect(headers['x-amz-security-token']).toBe(KEYS.session_token);
  const covered = names.split(';');
  expect(covered).toEqual([...covered].sort());
  const required = Object.keys(headers).filter(
    (each) => each === 'host' || each === 'content-type' || each.startsWith('x-amz-'),
  );
  expect(covered).toEqual(expect.arrayContaining(required));
  if (name === 's3') expect(headers['x-amz-content-sha256']).toBe(sha256(body));
  const [resource = '', query = ''] = path.split('?');
  const lines = covered.map((each) => `${each}:${String(headers[each]).trim()}\n`).join('');
  const canonical = [method, resource, query, lines, names, sha256(body)].join('\n');
  const text = ['AWS4-HMAC-SHA256', time, credential, sha256(canonical)].join('\n');
  const key = ['eu-central-1', name, 'aws4_request'].reduce<Buffer>(
    hmac,
    hmac(`AWS4${KEYS.secret_access_key}`, time.slice(0, 8)),
  );
  expect(signature).toBe(hmac(key, text).toString('hex'));
}

it('every preset is tested here, and has parameters with labels, a documentation and an app of the catalogue', () => {
  expect(CONNECTION_PRESETS.map(({ preset }) => preset)).toEqual([
    'slack-message',
    'teams-message',
    'google-sheets-row',
    'notion-page',
    'hubspot-contact',
    'hubspot-event',
    'sqs-message',
    'sns-message',
    'eventbridge-event',
    'pubsub-message',
    'cloudflare-queue-message',
    's3-object',
  ]);
  for (const { app, parameters, path, body, docs_url } of CONNECTION_PRESETS) {
    expect(catalogue.has(app)).toBe(true);
    expect(docs_url).toMatch(/^https:\/\//);
    for (const { name, label, help } of parameters) {
      expect(path + body).toContain(`<${name}>`);
      expect([label, help].every((text) => text !== '')).toBe(true);
    }
  }
});

describe('a preset sends what the vendor requires', () => {
  it('to Slack', async () => {
    const { received, json } = await sendWith(
      'slack-message',
      '/api/chat.postMessage',
      { channel: 'C012AB3CD' },
      { body: '{"ok":true}' },
    );
    expect(received.headers['content-type']).toContain('application/json');
    expect(json()).toEqual({ channel: 'C012AB3CD', text: expect.stringContaining('*schedule.elapsed*\n') });
    expect((json() as { text: string }).text).toContain('&lt;b&gt; &amp; é');
  });

  it('to Teams', async () => {
    const channel_id = '19:4a95f7d8db4c4e7fae857bcebe0623e6@thread.tacv2';
    const path = `/v1.0/teams/fbe2bf47/channels/${encodeURIComponent(channel_id)}/messages`;
    const { json } = await sendWith('teams-message', path, { team_id: 'fbe2bf47', channel_id }, { status: 201 });
    expect(json()).toEqual({ body: { contentType: 'text', content: expect.stringContaining('schedule.elapsed\n') } });
  });

  it('to Google Sheets', async () => {
    const path = `/v4/spreadsheets/1AbC/values/${encodeURIComponent('Tab 1!A1')}:append`;
    const { received, json, event_id, received_at } = await sendWith('google-sheets-row', path, {
      spreadsheet_id: '1AbC',
      range: 'Tab 1!A1',
    });
    expect(received.path.split('?')[1]).toBe('valueInputOption=RAW&insertDataOption=INSERT_ROWS');
    expect(json()).toEqual({ values: [[received_at, 'schedule.elapsed', event_id, JSON.stringify(PAYLOAD)]] });
  });

  it('to Notion', async () => {
    const { received, json } = await sendWith('notion-page', '/v1/pages', {
      database_id: 'd9824bdc',
      title_property: 'My "title"',
    });
    expect(received.headers['notion-version']).toBe('2022-06-28');
    expect(json()).toMatchObject({
      parent: { database_id: 'd9824bdc' },
      properties: { 'My "title"': { title: [{ text: { content: 'schedule.elapsed' } }] } },
      children: [{ object: 'block', type: 'paragraph', paragraph: { rich_text: [{ type: 'text' }] } }],
    });
  });

  it('to HubSpot, a contact', async () => {
    const { json } = await sendWith(
      'hubspot-contact',
      '/crm/v3/objects/contacts/batch/upsert',
      {},
      { body: '{"status":"COMPLETE","results":[]}' },
    );
    expect(json()).toEqual({
      inputs: [{ idProperty: 'email', id: PAYLOAD.email, properties: { email: PAYLOAD.email } }],
    });
  });

  it('to HubSpot, an event', async () => {
    const { json, event_id, received_at } = await sendWith(
      'hubspot-event',
      '/events/v3/send',
      { event_name: 'pe1_signed_up' },
      { status: 204 },
    );
    expect(json()).toEqual({
      eventName: 'pe1_signed_up',
      uuid: event_id,
      email: PAYLOAD.email,
      occurredAt: received_at,
    });
  });

  it('to Amazon SQS', async () => {
    const queue_url = 'https://sqs.eu-central-1.amazonaws.com/123456789012/orders';
    const { received, json } = await sendWith('sqs-message', '/', { queue_url });
    expect(received.headers).toMatchObject({
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'AmazonSQS.SendMessage',
    });
    expect(json()).toEqual({ QueueUrl: queue_url, MessageBody: JSON.stringify(PAYLOAD) });
  });

  it('to Amazon SNS', async () => {
    const topic_arn = 'arn:aws:sns:eu-central-1:123456789012:orders';
    const { received } = await sendWith('sns-message', '/', { topic_arn });
    expect(received.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(Object.fromEntries(new URLSearchParams(received.body))).toEqual({
      Action: 'Publish',
      Version: '2010-03-31',
      TopicArn: topic_arn,
      Message: JSON.stringify(PAYLOAD),
    });
  });

  it('to Amazon EventBridge', async () => {
    const { received, json } = await sendWith(
      'eventbridge-event',
      '/',
      {},
      { body: '{"FailedEntryCount":0,"Entries":[{"EventId":"1"}]}' },
    );
    expect(received.headers).toMatchObject({
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'AWSEvents.PutEvents',
    });
    expect(json()).toEqual({
      Entries: [
        { EventBusName: 'default', Source: 'sluice', DetailType: 'schedule.elapsed', Detail: JSON.stringify(PAYLOAD) },
      ],
    });
  });

  it('to Google Pub/Sub', async () => {
    const { json, event_id } = await sendWith('pubsub-message', '/v1/projects/acme/topics/orders:publish', {
      project: 'acme',
      topic: 'orders',
    });
    const { messages } = json() as { messages: [{ data: string; attributes: object }] };
    expect(JSON.parse(Buffer.from(messages[0].data, 'base64').toString())).toEqual(PAYLOAD);
    expect(messages[0].attributes).toEqual({ event_id, event_type: 'schedule.elapsed' });
  });

  it('to Cloudflare Queues', async () => {
    const path = '/client/v4/accounts/acc/queues/que/messages';
    const { json } = await sendWith(
      'cloudflare-queue-message',
      path,
      { account_id: 'acc', queue_id: 'que' },
      { body: '{"success":true}' },
    );
    expect(json()).toEqual({ body: PAYLOAD });
  });

  it('to S3', async () => {
    const preset = presetOf('s3-object');
    const { id } = await connectedAs('s3');
    const values = { bucket: 'my-bucket', key: 'year 26/{{ event_id }}.json' };
    const trigger = await makeTrigger(service, [filledPreset(preset, id, values)]);
    const event = await whenAll(service, await makeEvent(service, trigger.trigger_id, PAYLOAD), 'SUCCEEDED');
    const received = only(sink.received(`/my-bucket/year%2026/${event.event_id}.json`));
    expectSigned(received, 's3');
    expect([received.method, JSON.parse(received.body)]).toEqual(['PUT', PAYLOAD]);
  });
});

it.each([
  ['slack-message', '/api/chat.postMessage', '{"ok":false,"error":"not_in_channel"}', 'not_in_channel'],
  [
    'eventbridge-event',
    '/',
    '{"FailedEntryCount":1,"Entries":[{"ErrorCode":"ThrottlingException"}]}',
    'ThrottlingException',
  ],
  [
    'hubspot-contact',
    '/crm/v3/objects/contacts/batch/upsert',
    '{"numErrors":1,"errors":[{"message":"Invalid"}]}',
    'Invalid',
  ],
])('an error of %s in a 2xx response fails the delivery', async (name, path, body, error) => {
  const preset = presetOf(name);
  const { id, base } = await connectedAs(preset.app);
  sink.answer(base + path, { body });
  const initial = Object.fromEntries(preset.parameters.map((each) => [each.name, each.initial ?? 'x']));
  const trigger = await makeTrigger(service, [filledPreset(preset, id, initial)]);
  const event = await whenAll(service, await makeEvent(service, trigger.trigger_id, PAYLOAD), 'FAILED');
  expect(only(event.deliveries)).toMatchObject({
    reason: 'APP_ERROR',
    last_error_message: `It returned 200 with the error ${error}.`,
  });
});

it('a call through the gateway is signed, too, with the headers of the caller', async () => {
  const { own, id } = await connectedAs('aws-sqs');
  const headers = { 'service-connection': id, 'x-amz-target': 'AmazonSQS.ListQueues', 'x-amz-date': 'forged' };
  const answer = await service.api('POST', `/${own}/called`, { MaxResults: 5 }, { headers });
  expect(answer.status).toBe(200);
  const received = only(sink.received('/called'));
  expectSigned(received, 'sqs');
  expect([received.headers['x-amz-target'], received.body]).toEqual(['AmazonSQS.ListQueues', '{"MaxResults":5}']);
});
