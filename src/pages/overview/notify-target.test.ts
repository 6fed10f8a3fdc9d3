import { expect, test } from 'vitest';
import { notifyTrigger, targetOf } from './notify-target.ts';

test.each([
  ['https://hooks.slack.com/services/T0/B0/x', 'Slack', false],
  [' https://discord.com/api/webhooks/1/x\n', 'Discord', false],
  ['https://prod-1.westeurope.logic.azure.com/workflows/x', 'Microsoft Teams', false],
  ['https://events.eu.pagerduty.com/v2/enqueue', 'PagerDuty', true],
  ['0123456789abcdef0123456789ABCDEF', 'PagerDuty', false],
  ['http://example.com/hook', 'Webhook', false],
])('%s is a destination of %s', (pasted, name, needsKey) => {
  expect(targetOf(pasted)).toMatchObject({ name, needsKey, template: expect.stringContaining('message.title') });
});

test('email addresses become one email destination with the default text', () => {
  const expected = { name: 'Email', url: 'mailto:ops@example.com,oncall@example.com', template: null };
  expect(targetOf('ops@example.com; oncall@example.com')).toMatchObject(expected);
  expect(targetOf('mailto:ops@example.com,oncall@example.com')).toMatchObject(expected);
});

test.each(['', 'ops', 'ops@', 'ftp://example.com', 'https://', 'ops@example.com, none'])('“%s” is none', (pasted) => {
  expect(targetOf(pasted)).toBeUndefined();
});

test('the integration key is part of the template', () => {
  const key = '0123456789abcdef0123456789abcdef';
  for (const pasted of [key, 'https://events.pagerduty.com/v2/enqueue']) {
    const target = targetOf(pasted);
    const { destinations } = target ? notifyTrigger(target, key) : { destinations: [] };
    expect(destinations).toMatchObject([{ url: 'https://events.pagerduty.com/v2/enqueue' }]);
    expect(destinations?.[0]?.body_template).toContain(`"routing_key": "${key}"`);
  }
});
