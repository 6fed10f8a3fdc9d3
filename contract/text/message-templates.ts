/**
 * Ready-made body templates for services that display messages. The destination editor inserts the text, which a user
 * can then edit. Lengths are the limits of each service.
 */
export type MessageService = 'slack' | 'teams' | 'discord' | 'pagerduty' | 'webhook' | 'email';

type Address = { protocol: string; hostname: string; pathname: string };
export type MessageTemplate = {
  service: MessageService;
  name: string;
  /** Whether a URL belongs to the service. */
  matches(url: Address): boolean;
  /** Where the URL comes from, and what is left to fill in. */
  setup: string;
  body: string;
};

const hostIs = (...names: string[]) => {
  const domains = names.filter((name) => name.startsWith('.'));
  return ({ hostname }: Address) => names.includes(hostname) || domains.some((domain) => hostname.endsWith(domain));
};

/** Stands for the integration key in the template of PagerDuty. */
export const PAGERDUTY_KEY = 'INTEGRATION_KEY';

const slack: MessageTemplate = {
  service: 'slack',
  name: 'Slack',
  matches: hostIs('hooks.slack.com', 'hooks.slack-gov.com'),
  setup: 'The URL of an incoming webhook of a Slack app.',
  body: `{
  "text": "{{ message.title | max:150 | html }}",
  "blocks": [
    { "type": "header", "text": { "type": "plain_text", "text": "{{ message.title | max:150 }}", "emoji": false } },
    { "type": "section", "text": { "type": "plain_text", "text": "{{ message.text | max:3000 }}", "emoji": false } },
    { "type": "context", "elements": [
      { "type": "mrkdwn", "text": "{{ message.type | html }} · <{{ message.link | html }}|Open in Sluice>" }
    ] }
  ]
}`,
};

const teams: MessageTemplate = {
  service: 'teams',
  name: 'Microsoft Teams',
  matches: hostIs('.logic.azure.com', '.powerplatform.com', '.webhook.office.com'),
  setup: 'The URL of a workflow that begins with “When a Teams webhook request is received”.',
  body: `{
  "type": "message",
  "attachments": [
    {
      "contentType": "application/vnd.microsoft.card.adaptive",
      "contentUrl": null,
      "content": {
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "type": "AdaptiveCard",
        "version": "1.4",
        "body": [
          { "type": "TextBlock", "size": "Large", "weight": "Bolder", "wrap": true, "text": "{{ message.title | max:500 }}" },
          { "type": "TextBlock", "wrap": true, "text": "{{ message.text | max:5000 }}" },
          { "type": "TextBlock", "isSubtle": true, "wrap": true, "text": "{{ message.type }}" }
        ],
        "actions": [{ "type": "Action.OpenUrl", "title": "Open in Sluice", "url": "{{ message.link }}" }]
      }
    }
  ]
}`,
};

const discord: MessageTemplate = {
  service: 'discord',
  name: 'Discord',
  matches: (url) =>
    hostIs('discord.com', 'ptb.discord.com', 'canary.discord.com', 'discordapp.com')(url) &&
    url.pathname.startsWith('/api/webhooks/'),
  setup: 'The URL of a webhook of a channel, under Integrations.',
  body: `{
  "username": "Sluice",
  "allowed_mentions": { "parse": [] },
  "embeds": [
    {
      "title": "{{ message.title | max:256 }}",
      "description": "{{ message.text | max:4000 }}",
      "url": "{{ message.link }}",
      "color": {{ message.state | map:opened=15548997,recovered=5763719,*=5793266 }},
      "timestamp": "{{ received_at }}",
      "footer": { "text": "{{ message.type }}" }
    }
  ]
}`,
};

const pagerduty: MessageTemplate = {
  service: 'pagerduty',
  name: 'PagerDuty',
  matches: hostIs('events.pagerduty.com', 'events.eu.pagerduty.com'),
  setup: `https://events.pagerduty.com/v2/enqueue. Replace ${PAGERDUTY_KEY} in the template by the integration key of an Events API v2 integration.`,
  body: `{
  "routing_key": "${PAGERDUTY_KEY}",
  "event_action": "{{ message.state | map:recovered=resolve,*=trigger }}",
  "dedup_key": "{{ message.key | max:255 }}",
  "client": "Sluice",
  "client_url": "{{ message.link }}",
  "payload": {
    "summary": "{{ message.title | max:1024 }}",
    "source": "{{ trigger_name }}",
    "severity": "{{ message.severity }}",
    "timestamp": "{{ received_at }}",
    "class": "{{ message.type }}",
    "custom_details": { "text": "{{ message.text | max:10000 }}", "event_id": "{{ event_id }}" }
  },
  "links": [{ "href": "{{ message.link }}", "text": "Open in Sluice" }]
}`,
};

const webhook: MessageTemplate = {
  service: 'webhook',
  name: 'Webhook',
  matches: () => false,
  setup: 'Any endpoint that reads JSON.',
  body: `{
  "id": "{{ event_id }}",
  "type": "{{ message.type }}",
  "timestamp": "{{ received_at }}",
  "title": "{{ message.title }}",
  "text": "{{ message.text | max:10000 }}",
  "link": "{{ message.link }}",
  "key": "{{ message.key }}",
  "severity": "{{ message.severity }}",
  "state": "{{ message.state }}",
  "data": {{ payload }}
}`,
};

/** The body of an email without a template, too. */
export const EMAIL_BODY = `{{ message.text }}

{{ message.link }}
`;
export const EMAIL_SUBJECT = '{{ message.title }}';

const email: MessageTemplate = {
  service: 'email',
  name: 'Email',
  matches: ({ protocol }) => protocol === 'mailto:',
  setup: 'mailto: and the addresses, separated by commas. The text is sent as it is rendered.',
  body: EMAIL_BODY,
};

export const MESSAGE_TEMPLATES: readonly MessageTemplate[] = [slack, teams, discord, pagerduty, webhook, email];

/** The template of the service that a URL belongs to. */
export function templateFor(url: string): MessageTemplate | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  return parsed && MESSAGE_TEMPLATES.find(({ matches }) => matches(parsed));
}
