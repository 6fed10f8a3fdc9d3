import { expect, it } from 'vitest';
import { APP_CATEGORIES } from '../../../../contract/states.ts';
import { CATEGORY_NAMES } from '../../../../contract/text/category-names.ts';
import page from '../../../../docs/reference/apps.md?raw';
import { findApps } from './app-search.ts';

/** Every app of the catalogue, read from its page, which a test of the scripts compares with the catalogue. */
const APPS = page.split(/^## /m).flatMap((section) => {
  const category = APP_CATEGORIES.find((each) => section.startsWith(`${CATEGORY_NAMES[each]}\n`));
  const entries = section.matchAll(
    /^### (?<name>.+)\n\n`(?<app>[^`]+)`: (?<description>.+?)(?: \[API documentation|$)/gm,
  );
  return category === undefined
    ? []
    : [...entries].map(({ groups: { name = '', app = '', description = '' } = {} }) => {
        return { name, app, description, category };
      });
});
const found = (text: string) => findApps(APPS, text).map(({ app }) => app);

it('reads the catalogue', () => {
  expect(APPS.length).toBeGreaterThan(250);
});

it.each([
  ['send email', ['mailgun', 'sendgrid', 'postmark', 'resend', 'google-mail', 'outlook']],
  ['sms', ['twilio', 'plivo', 'telnyx', 'bulksms', 'ringcentral', 'brevo']],
  ['invoices', ['quickbooks', 'xero', 'chargebee', 'harvest']],
  ['calendar', ['google-calendar', 'outlook', 'acuity', 'calendly', 'cal-com']],
  ['payments', ['stripe', 'paypal', 'square', 'braintree']],
  ['vector', ['pinecone', 'qdrant', 'supabase']],
  ['e-signature', ['docusign', 'pandadoc', 'dropbox-sign']],
  ['time tracking', ['clockify', 'toggl', 'everhour', 'harvest']],
  ['translate', ['deepl', 'crowdin', 'lokalise']],
  ['book a meeting', ['calendly', 'cal-com']],
  ['uptime', ['uptimerobot', 'better-stack', 'statuscake']],
  ['on-call', ['opsgenie', 'incident-io', 'rootly', 'pagerduty']],
  ['helpdesk', ['gorgias', 'zoho-desk', 'groove', 'zendesk', 'freshdesk']],
  ['scraping', ['scrapingbee', 'apify', 'firecrawl']],
  ['store files', ['s3', 'dropbox', 'box', 'google-drive', 'onedrive']],
  ['llm', ['openai', 'anthropic', 'mistral', 'cohere']],
  ['feature flags', ['launchdarkly', 'posthog']],
  ['todo', ['todoist', 'google-tasks', 'asana', 'clickup']],
  ['surveys', ['surveymonkey', 'delighted', 'typeform']],
  ['login', ['auth0', 'stytch', 'clerk', 'workos']],
])('finds apps for %s', (text, expected) => {
  expect(found(text)).toEqual(expect.arrayContaining(expected));
});

it.each(['send email', 'invoices', 'sms', 'vector', 'time tracking'])('leaves most apps out for %s', (text) => {
  expect(found(text).length).toBeLessThan(APPS.length / 4);
});

it('does not find an app that has only the verb', () => {
  expect(found('send invoices')).not.toContain('sendgrid');
});
