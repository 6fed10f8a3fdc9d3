/** Apps with an icon in public/icons; others show their initials. Written by `node scripts/icons.ts --write`. */
export const APP_ICONS: ReadonlySet<string> = new Set(
  'airtable algolia anthropic app-store-connect asana bitbucket bitly box brevo calendly circleci clickup cloudflare cloudinary confluence contentful datadog deepgram digitalocean discogs discord dropbox elevenlabs figma flickr ghost github github-mcp gitlab gitlab-self-managed google-calendar google-drive google-mail google-sheets helpscout hubspot huggingface intercom jira linear linear-mcp mailchimp mailgun mcp metabase miro mistral mixpanel netlify notion notion-mcp paddle pagerduty paypal posthog postman quickbooks reddit replicate resend rss sentry shopify smugmug spotify square strava stripe telegram todoist trello tumblr twitch typeform unsplash vercel vimeo webex webflow wise woocommerce x xero youtube zendesk zoho-crm zoom'.split(
    ' ',
  ),
);
