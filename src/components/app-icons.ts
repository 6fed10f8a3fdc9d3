/** Apps with a picture in public/icons; the others have their letters. Written by `node scripts/icons.ts --write`. */
export const APP_ICONS: ReadonlySet<string> = new Set(
  'airtable anthropic asana bitbucket bitly brevo calendly circleci clickup cloudflare confluence datadog deepgram digitalocean discord elevenlabs figma github github-mcp gitlab gitlab-self-managed google-calendar google-drive google-mail google-sheets helpscout hubspot huggingface intercom jira linear linear-mcp mailchimp mailgun mcp miro mistral mixpanel netlify notion notion-mcp paddle pagerduty paypal posthog postman quickbooks replicate resend sentry shopify square stripe telegram todoist trello twitch typeform vercel webex webflow wise woocommerce xero zendesk zoho-crm zoom'.split(' '),
);
