/** The result of each ready-made template, in the documented shape of its service. */
import { describe, expect, it } from 'vitest';
import { parseTemplate, renderTemplate, type TemplateValues } from './body-template.ts';
import { MESSAGE_TEMPLATES, type MessageService, templateFor } from './message-templates.ts';

const OWN: TemplateValues = {
  trigger_id: 'trg',
  trigger_name: 'Failures',
  event_id: 'evt',
  event_url: 'https://sluice.example/events/trg/evt',
  source: 'sluice',
  event_type: 'sluice.failure',
  received_at: '2026-01-05T09:05:00.000000Z',
  payload: JSON.stringify({
    type: 'destination.failing',
    state: 'opened',
    severity: 'critical',
    title: 'Destination “<!here> & co” is failing',
    text: '5 attempts failed.\nLast error: "500"',
    link: 'https://sluice.example/triggers/t/destinations/d?a=1&b=2',
    condition_id: 'condition-1',
    occurred_at: '2026-01-05T09:05:00.000000Z',
  }),
};
const OTHER: TemplateValues = {
  ...OWN,
  trigger_name: 'Orders',
  source: 'webhook',
  event_type: 'webhook.received',
  payload: '{"order":12345678901234567890,"note":"a \\"b\\""}',
};
const PRETTY = '{\n  "order": 12345678901234567000,\n  "note": "a \\"b\\""\n}';

const templateOf = (service: MessageService) => MESSAGE_TEMPLATES.find((each) => each.service === service)?.body ?? '';
const render = (service: MessageService, values: TemplateValues) =>
  renderTemplate(parseTemplate(templateOf(service)), values) ?? '';
const json = (service: MessageService, values: TemplateValues) => JSON.parse(render(service, values));

describe('Slack: blocks of plain text, and a link', () => {
  it('of an event of this service', () => {
    expect(json('slack', OWN)).toEqual({
      text: 'Destination “&lt;!here&gt; &amp; co” is failing',
      blocks: [
        {
          type: 'header',
          text: { type: 'plain_text', text: 'Destination “<!here> & co” is failing', emoji: false },
        },
        {
          type: 'section',
          text: { type: 'plain_text', text: '5 attempts failed.\nLast error: "500"', emoji: false },
        },
        {
          type: 'context',
          elements: [
            {
              type: 'mrkdwn',
              text: 'destination.failing · <https://sluice.example/triggers/t/destinations/d?a=1&amp;b=2|Open in Sluice>',
            },
          ],
        },
      ],
    });
  });

  it('of another event', () => {
    expect(json('slack', OTHER)).toMatchObject({
      text: 'webhook.received',
      blocks: [
        { text: { text: 'webhook.received' } },
        { text: { text: PRETTY } },
        { elements: [{ text: 'webhook.received · <https://sluice.example/events/trg/evt|Open in Sluice>' }] },
      ],
    });
  });
});

it('Microsoft Teams: a message with an Adaptive Card', () => {
  expect(json('teams', OWN)).toEqual({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            {
              type: 'TextBlock',
              size: 'Large',
              weight: 'Bolder',
              wrap: true,
              text: 'Destination “<!here> & co” is failing',
            },
            { type: 'TextBlock', wrap: true, text: '5 attempts failed.\nLast error: "500"' },
            { type: 'TextBlock', isSubtle: true, wrap: true, text: 'destination.failing' },
          ],
          actions: [
            {
              type: 'Action.OpenUrl',
              title: 'Open in Sluice',
              url: 'https://sluice.example/triggers/t/destinations/d?a=1&b=2',
            },
          ],
        },
      },
    ],
  });
});

it('Discord: an embed that mentions no one', () => {
  expect(json('discord', OWN)).toEqual({
    username: 'Sluice',
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: 'Destination “<!here> & co” is failing',
        description: '5 attempts failed.\nLast error: "500"',
        url: 'https://sluice.example/triggers/t/destinations/d?a=1&b=2',
        color: 0xed4245,
        timestamp: '2026-01-05T09:05:00.000000Z',
        footer: { text: 'destination.failing' },
      },
    ],
  });
  expect(json('discord', OTHER)).toMatchObject({ embeds: [{ title: 'webhook.received', color: 0x5865f2 }] });
});

describe('PagerDuty: Events v2', () => {
  it('an opened condition triggers an alert', () => {
    expect(json('pagerduty', OWN)).toEqual({
      routing_key: 'INTEGRATION_KEY',
      event_action: 'trigger',
      dedup_key: 'condition-1',
      client: 'Sluice',
      client_url: 'https://sluice.example/triggers/t/destinations/d?a=1&b=2',
      payload: {
        summary: 'Destination “<!here> & co” is failing',
        source: 'Failures',
        severity: 'critical',
        timestamp: '2026-01-05T09:05:00.000000Z',
        class: 'destination.failing',
        custom_details: { text: '5 attempts failed.\nLast error: "500"', event_id: 'evt' },
      },
      links: [{ href: 'https://sluice.example/triggers/t/destinations/d?a=1&b=2', text: 'Open in Sluice' }],
    });
  });

  it('its recovery resolves the alert', () => {
    const payload = JSON.stringify({ ...JSON.parse(OWN.payload), state: 'recovered', severity: 'info' });
    expect(json('pagerduty', { ...OWN, payload })).toMatchObject({
      event_action: 'resolve',
      dedup_key: 'condition-1',
      payload: { severity: 'info' },
    });
  });

  it('any other event triggers a separate alert', () => {
    expect(json('pagerduty', OTHER)).toMatchObject({
      event_action: 'trigger',
      dedup_key: 'evt',
      payload: { summary: 'webhook.received', source: 'Orders', severity: 'warning' },
    });
  });
});

it('a webhook: the message and the payload, byte for byte', () => {
  expect(json('webhook', OWN)).toEqual({
    id: 'evt',
    type: 'destination.failing',
    timestamp: '2026-01-05T09:05:00.000000Z',
    title: 'Destination “<!here> & co” is failing',
    text: '5 attempts failed.\nLast error: "500"',
    link: 'https://sluice.example/triggers/t/destinations/d?a=1&b=2',
    key: 'condition-1',
    severity: 'critical',
    state: 'opened',
    data: JSON.parse(OWN.payload),
  });
  expect(render('webhook', OTHER)).toContain(`"data": ${OTHER.payload}`);
});

it('an email: the text and the link', () => {
  expect(renderTemplate(parseTemplate(templateOf('email')), OWN, JSON.parse, 'text')).toBe(
    '5 attempts failed.\nLast error: "500"\n\nhttps://sluice.example/triggers/t/destinations/d?a=1&b=2\n',
  );
});

it.each(MESSAGE_TEMPLATES.filter(({ service }) => service !== 'email'))(
  '$name accepts hostile and long values',
  ({ service }) => {
    const long = `"\\\n</script>{{ payload }}\u0000\ud800${'😀'.repeat(20_000)}`;
    const payload = JSON.stringify({
      title: long,
      text: long,
      link: long,
      state: long,
      type: long,
      condition_id: long,
    });
    const rendered = json(service, { ...OWN, payload });
    if (service === 'slack') {
      const lengths = rendered.blocks.map((block: { text?: { text: string } }) => block.text?.text.length ?? 0);
      expect(lengths.slice(0, 2)).toEqual([150, 3000]);
    }
    if (service === 'discord') expect(rendered.embeds[0].description.length).toBeLessThanOrEqual(4096);
    if (service === 'pagerduty') expect(rendered.dedup_key.length).toBeLessThanOrEqual(255);
  },
);

it.each<[string, MessageService | undefined]>([
  ['https://hooks.slack.com/services/T0/B0/x', 'slack'],
  ['https://prod-12.westeurope.logic.azure.com:443/workflows/x/triggers/manual/paths/invoke?sig=y', 'teams'],
  ['https://default1.2f.environment.api.powerplatform.com:443/powerautomate/automations/direct/x', 'teams'],
  ['https://discord.com/api/webhooks/1/x', 'discord'],
  ['https://events.pagerduty.com/v2/enqueue', 'pagerduty'],
  ['https://events.eu.pagerduty.com/v2/enqueue', 'pagerduty'],
  ['mailto:ops@example.com', 'email'],
  ['https://discord.com/channels/1', undefined],
  ['https://hooks.slack.com.example.com/', undefined],
  ['https://logic.azure.com.example.com/', undefined],
  ['https://example.com/?hooks.slack.com', undefined],
  ['nothing', undefined],
])('%s belongs to %s', (url, service) => {
  expect(templateFor(url)?.service).toBe(service);
});
