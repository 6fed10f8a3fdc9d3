/** Apps with an icon in public/icons; others show their initials. Written by `node scripts/icons.ts --write`. */
export const APP_ICONS: ReadonlySet<string> = new Set(
  'airtable algolia anthropic app-store-connect asana better-stack bitbucket bitly box brave-search brevo calendly campaign-monitor circleci clickup cloudflare cloudinary coda confluence contentful crunchbase datadog deepgram deepl deepseek digitalocean discogs discord dropbox elevenlabs facebook figma flickr formstack ghost github github-mcp gitlab gitlab-self-managed google-bigquery google-calendar google-docs google-drive google-forms google-gemini google-mail google-sheets google-tasks helpscout hubspot huggingface intercom jira langsmith linear linear-mcp mailchimp mailgun mcp metabase miro mistral mixpanel moonshot-ai netlify notion notion-mcp okta openrouter paddle pagerduty paypal perplexity posthog postman qdrant quickbooks reddit replicate resend revenuecat rss sentry shopify smugmug spotify square strava stripe surveymonkey telegram todoist trello tumblr twitch typeform unsplash vercel vimeo webex webflow wise woocommerce wordpress x xero youtube zendesk zoho-crm zoom'.split(
    ' ',
  ),
);
