/** Messages to people: ready-made templates and email destinations in the editor. */
import type { Page } from '@playwright/test';
import { expect } from '../support/fixtures.ts';
import { testWithMail as test } from '../support/mail.ts';
import type { RunningService } from '../support/service.ts';

async function newDestination(page: Page, service: RunningService, name: string) {
  const { trigger } = await service.call('triggerCreate', {
    body: {
      source: 'schedule',
      event_type: 'schedule.elapsed',
      name,
      parameters: { cron_expression: '0 0 1 1 *' },
    },
  });
  await page.goto(`${service.url}/triggers/${trigger.trigger_id}/destinations/new`);
  const panel = page.getByRole('complementary', { name: `New destination of ${name}` });
  await expect(panel).toBeVisible();
  return panel;
}

test('the template of a recognised service is offered, previewed, and sends its message', async ({
  signedIn: page,
  service,
  sink,
  axeInBothSchemes,
}) => {
  const panel = await newDestination(page, service, 'chat');
  const url = panel.getByLabel('URL', { exact: true });
  const template = panel.getByRole('textbox', { name: 'Body template' });
  const preview = panel.getByRole('region', { name: 'Rendered body' });

  await url.fill('https://hooks.slack.com/services/T0/B0/x');
  await panel.getByRole('button', { name: 'Use the Slack template' }).click();
  await expect(template).toHaveValue(/"plain_text"/);
  await expect(preview).toContainText('schedule.elapsed');
  await expect(preview).toContainText('Valid JSON');
  await axeInBothSchemes('a template that was inserted');
  await panel.getByRole('button', { name: 'Undo' }).click();
  await expect(template).toHaveValue('');

  await url.fill('https://events.pagerduty.com/v2/enqueue');
  await panel.getByRole('button', { name: 'Ready-made' }).click();
  await expect(page.getByRole('menuitem').first()).toHaveText('PagerDutymatches the URL');
  await page.getByRole('menuitem', { name: 'PagerDuty' }).click();
  await expect(panel.getByText('Replace INTEGRATION_KEY by your integration key.')).toBeVisible();

  await url.fill(`${sink.url}/chat`);
  await panel.getByRole('button', { name: 'Ready-made' }).click();
  await page.getByRole('menuitem', { name: 'Discord' }).click();
  await expect(panel.getByText('Discord template inserted.')).toBeVisible();
  await panel.getByRole('button', { name: 'Add destination', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Test send' }).click();
  await expect(page.getByText('Succeeded', { exact: true })).toBeVisible();
  const [request] = sink.received.filter((each) => each.path === '/chat');
  expect(JSON.parse(request?.body ?? '')).toMatchObject({
    allowed_mentions: { parse: [] },
    embeds: [{ title: 'schedule.elapsed', color: 0x5865f2 }],
  });
});

test('an email has a subject instead of a method, and a test shows the reply of the mail server', async ({
  signedIn: page,
  service,
  mail,
  axeInBothSchemes,
}) => {
  const panel = await newDestination(page, service, 'letters');
  await panel.getByLabel('URL', { exact: true }).fill('mailto:ops@example.com');
  await expect(panel.getByLabel('Method')).toBeHidden();
  await expect(panel.getByRole('button', { name: 'Add header' })).toBeHidden();
  await panel.getByLabel('Subject').fill('{{ trigger_name }} & {{ message.title }}');
  await expect(panel.getByRole('region', { name: 'Rendered body' })).toContainText('cron_expression');
  await axeInBothSchemes('a new email destination');
  await panel.getByRole('button', { name: 'Add destination', exact: true }).click();

  const editor = page.getByRole('complementary', { name: 'ops@example.com' });
  await expect(editor).toBeVisible();
  await expect(editor.getByRole('button', { name: 'Rotate…' })).toBeHidden();
  await editor.getByRole('button', { name: 'Diagnose endpoint' }).click();
  await expect(editor.getByText('The mail server accepted the session and the credentials.')).toBeVisible();
  await editor.getByRole('button', { name: 'Test send' }).click();
  await expect(editor.getByText('Succeeded', { exact: true })).toBeVisible();
  await expect(editor.getByRole('region', { name: 'Test response', exact: true })).toContainText('Queued as 42');
  await axeInBothSchemes('an email that was sent');
  expect(mail.received('ops@example.com')).toHaveLength(1);
  expect(mail.received('ops@example.com')[0]?.source).toContain('Subject: letters & schedule.elapsed');

  await editor.getByLabel('URL', { exact: true }).fill('mailto:unknown@example.com');
  await editor.getByRole('button', { name: 'Save changes' }).click();
  await expect(editor.getByRole('button', { name: 'Save changes' })).toBeHidden();
  await editor.getByRole('button', { name: 'Test send' }).click();
  await expect(editor.getByText('550 5.1.1 No such mailbox').first()).toBeVisible();
});
