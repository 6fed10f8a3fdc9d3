/** Ready-made templates through the API: receivers on loopback respond as the services do. */
import { expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { MESSAGE_TEMPLATES } from '../../../contract/text/message-templates.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { attemptsOf, makeEvent, makeTrigger, only, whenAll } from './delivery-support.ts';

const sink = sinkForAll();
const service = serviceForAll({ retryScheduleSeconds: [] });

const bodyOf = (name: string) => MESSAGE_TEMPLATES.find(({ service }) => service === name)?.body ?? '';
/** The response of each service, and its message for a title. */
const SERVICES = [
  {
    name: 'slack',
    answer: { status: 200, body: 'ok' },
    message: (text: string) => ({ blocks: [{ text: { text } }, {}, {}] }),
  },
  {
    name: 'teams',
    answer: { status: 202 },
    message: (text: string) => ({ attachments: [{ content: { body: [{ text }, {}, {}] } }] }),
  },
  { name: 'discord', answer: { status: 204 }, message: (title: string) => ({ embeds: [{ title }] }) },
  {
    name: 'pagerduty',
    answer: { status: 202, body: '{"status":"success","message":"Event processed","dedup_key":"x"}' },
    message: (summary: string) => ({ payload: { summary } }),
  },
  { name: 'webhook', answer: { status: 200 }, message: (title: string) => ({ title }) },
];

it('an event and a test reach every service as its message, with a link to the event', async () => {
  const destinations = SERVICES.map(({ name }) => ({ url: `${sink.url}/${name}`, body_template: bodyOf(name) }));
  for (const { name, answer } of SERVICES) sink.answer(`/${name}`, answer);
  const trigger = await makeTrigger(service, destinations);
  const event = await makeEvent(service, trigger.trigger_id, { order: 7 });
  await whenAll(service, event, 'SUCCEEDED');
  const link = `${service.services.settings.addresses.console_url}/events/${event.trigger_id}/${event.event_id}`;
  for (const { name, message } of SERVICES) {
    const { body } = only(sink.received(`/${name}`));
    expect(JSON.parse(body), name).toMatchObject(message('schedule.elapsed'));
    expect(body, name).toContain(link);
  }
  const [pagerduty] = sink.received('/pagerduty');
  expect(JSON.parse(pagerduty?.body ?? '')).toMatchObject({ event_action: 'trigger', dedup_key: event.event_id });

  for (const { destination_id, url } of trigger.destinations) {
    const at = `/triggers/${trigger.trigger_id}/destinations/${destination_id}:test`;
    const { body } = await service.api<Reply<'destinationTest'>>('POST', at);
    expect(body.result, url).toMatchObject({ ok: true, reason: null });
  }
});

it('a condition of this service triggers one alert, and its recovery resolves it', async () => {
  const { trigger_id } = await makeTrigger(
    service,
    [{ url: `${sink.url}/alerts`, body_template: bodyOf('pagerduty').replace('INTEGRATION_KEY', 'a-key') }],
    { source: 'sluice', event_type: 'sluice.failure', parameters: {} },
  );
  const opened = await whenAll(service, await makeEvent(service, trigger_id), 'SUCCEEDED');
  const { payload } = opened;
  const recovered = {
    ...payload,
    type: 'destination.recovered',
    state: 'recovered',
    severity: 'info',
    title: 'It works',
  };
  await whenAll(service, await makeEvent(service, trigger_id, recovered), 'SUCCEEDED');
  expect(sink.received('/alerts').map(({ body }) => JSON.parse(body))).toMatchObject([
    {
      routing_key: 'a-key',
      event_action: 'trigger',
      dedup_key: payload['condition_id'],
      payload: { summary: payload['title'], severity: payload['severity'], class: 'destination.failing' },
      links: [{ href: payload['link'] }],
    },
    {
      event_action: 'resolve',
      dedup_key: payload['condition_id'],
      payload: { summary: 'It works', severity: 'info', class: 'destination.recovered' },
    },
  ]);
});

it('a filter without a value it knows is rejected with its position', async () => {
  const trigger = await makeTrigger(service);
  const path = `/triggers/${trigger.trigger_id}/destinations`;
  const answer = await service.api('POST', path, { url: sink.url, body_template: '"{{ message.title | upper }}"' });
  expect(answer).toMatchObject({
    status: 400,
    body: {
      message:
        'body_template: position 21: expected the filter max, map, html, base64, default or required, got "upper"',
    },
  });
});

it('a payload that looks like a template is a value', async () => {
  const template = '["{{ payload.text }}", {{ payload.state | map:opened=1,*=2 }}]';
  const { trigger_id } = await makeTrigger(service, [{ url: `${sink.url}/literal`, body_template: template }]);
  const event = await makeEvent(service, trigger_id, { text: '{{ payload.secret }} | map:x', state: 'opened' });
  await whenAll(service, event, 'SUCCEEDED');
  expect(only(await attemptsOf(service, event)).request.body).toBe('["{{ payload.secret }} | map:x", 1]');
});
