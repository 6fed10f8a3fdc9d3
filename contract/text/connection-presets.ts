/**
 * Ready-made requests to connected apps. The destination editor fills in the parameters; the result is an ordinary
 * destination that a user can edit. `<name>` stands for a parameter in the path and the body. Lengths are the limits of
 * each service.
 */
import { writeConnectionUrl } from './connection-url.ts';

export type PresetParameter = {
  name: string;
  label: string;
  /** Where the user finds it, or an example. */
  help: string;
  /** The value that the form begins with. */
  initial?: string;
  /** Its slashes separate segments of the path. */
  isPath?: true;
};
export type ConnectionPreset = {
  preset: string;
  name: string;
  app: string;
  method: 'POST' | 'PUT';
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  format: 'JSON' | 'FORM';
  parameters: readonly PresetParameter[];
  /** The vendor's documentation of the request. */
  docs_url: string;
};

const post = { method: 'POST', headers: {}, format: 'JSON' } as const;
const AWS_DOCS = 'https://docs.aws.amazon.com';

export const CONNECTION_PRESETS: readonly ConnectionPreset[] = [
  {
    ...post,
    preset: 'slack-message',
    name: 'Post a message',
    app: 'slack',
    path: '/api/chat.postMessage',
    body: `{
  "channel": "<channel>",
  "text": "*{{ message.title | html }}*\\n{{ message.text | max:3000 | html }}"
}`,
    parameters: [{ name: 'channel', label: 'Channel', help: 'The ID of a channel that the app was added to.' }],
    docs_url: 'https://docs.slack.dev/reference/methods/chat.postMessage/',
  },
  {
    ...post,
    preset: 'teams-message',
    name: 'Post a message in Teams',
    app: 'microsoft',
    path: '/v1.0/teams/<team_id>/channels/<channel_id>/messages',
    body: '{ "body": { "contentType": "text", "content": "{{ message.title }}\\n{{ message.text | max:20000 }}" } }',
    parameters: [
      { name: 'team_id', label: 'Team ID', help: 'The groupId in a link to the team.' },
      {
        name: 'channel_id',
        label: 'Channel ID',
        help: 'Begins with 19: in a link to the channel. Needs the scope ChannelMessage.Send.',
      },
    ],
    docs_url: 'https://learn.microsoft.com/en-us/graph/api/channel-post-messages',
  },
  {
    ...post,
    preset: 'google-sheets-row',
    name: 'Append a row',
    app: 'google-sheets',
    path: '/v4/spreadsheets/<spreadsheet_id>/values/<range>:append?valueInputOption=RAW&insertDataOption=INSERT_ROWS',
    body: '{ "values": [["{{ received_at }}", "{{ event_type }}", "{{ event_id }}", "{{ payload | max:40000 }}"]] }',
    parameters: [
      { name: 'spreadsheet_id', label: 'Spreadsheet ID', help: 'The part after /d/ in the URL of the spreadsheet.' },
      { name: 'range', label: 'Range', help: 'The table that the row is appended to.', initial: 'Sheet1!A1' },
    ],
    docs_url: 'https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets.values/append',
  },
  {
    ...post,
    preset: 'notion-page',
    name: 'Create a page',
    app: 'notion',
    path: '/v1/pages',
    body: `{
  "parent": { "database_id": "<database_id>" },
  "properties": {
    "<title_property>": { "title": [{ "text": { "content": "{{ message.title | max:2000 }}" } }] }
  },
  "children": [
    {
      "object": "block",
      "type": "paragraph",
      "paragraph": { "rich_text": [{ "type": "text", "text": { "content": "{{ message.text | max:2000 }}" } }] }
    }
  ]
}`,
    parameters: [
      { name: 'database_id', label: 'Database ID', help: 'In the URL of a database that the integration can edit.' },
      { name: 'title_property', label: 'Title property', help: 'The name of its title column.', initial: 'Name' },
    ],
    docs_url: 'https://developers.notion.com/reference/post-page',
  },
  {
    ...post,
    preset: 'hubspot-contact',
    name: 'Create or update a contact',
    app: 'hubspot',
    path: '/crm/v3/objects/contacts/batch/upsert',
    body: '{ "inputs": [{ "idProperty": "email", "id": "<email>", "properties": { "email": "<email>" } }] }',
    parameters: [
      {
        name: 'email',
        label: 'Email address',
        help: 'A placeholder for the address in the event.',
        initial: '{{ payload.email | required }}',
      },
    ],
    docs_url: 'https://developers.hubspot.com/docs/api-reference/legacy/crm/objects/contacts/batch/upsert-contacts',
  },
  {
    ...post,
    preset: 'hubspot-event',
    name: 'Send a custom event',
    app: 'hubspot',
    path: '/events/v3/send',
    body: '{ "eventName": "<event_name>", "uuid": "{{ event_id }}", "email": "<email>", "occurredAt": "{{ received_at }}" }',
    parameters: [
      { name: 'event_name', label: 'Event name', help: 'The internal name, such as pe1234567_signed_up.' },
      {
        name: 'email',
        label: 'Email address',
        help: 'A placeholder for the address in the event.',
        initial: '{{ payload.email | required }}',
      },
    ],
    docs_url:
      'https://developers.hubspot.com/docs/api-reference/legacy/analytics/events/send-event-data/post-events-v3-send',
  },
  {
    ...post,
    preset: 'sqs-message',
    name: 'Send a message',
    app: 'aws-sqs',
    path: '/',
    headers: { 'Content-Type': 'application/x-amz-json-1.0', 'X-Amz-Target': 'AmazonSQS.SendMessage' },
    body: '{ "QueueUrl": "<queue_url>", "MessageBody": "{{ payload }}" }',
    parameters: [
      {
        name: 'queue_url',
        label: 'Queue URL',
        help: 'Such as https://sqs.eu-central-1.amazonaws.com/123456789012/orders.',
      },
    ],
    docs_url: `${AWS_DOCS}/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html`,
  },
  {
    ...post,
    preset: 'sns-message',
    name: 'Publish to a topic',
    app: 'aws-sns',
    path: '/',
    body: '{ "Action": "Publish", "Version": "2010-03-31", "TopicArn": "<topic_arn>", "Message": "{{ payload }}" }',
    format: 'FORM',
    parameters: [
      { name: 'topic_arn', label: 'Topic ARN', help: 'Such as arn:aws:sns:eu-central-1:123456789012:orders.' },
    ],
    docs_url: `${AWS_DOCS}/sns/latest/api/API_Publish.html`,
  },
  {
    ...post,
    preset: 'eventbridge-event',
    name: 'Put an event',
    app: 'aws-eventbridge',
    path: '/',
    headers: { 'Content-Type': 'application/x-amz-json-1.1', 'X-Amz-Target': 'AWSEvents.PutEvents' },
    body: `{
  "Entries": [
    { "EventBusName": "<bus>", "Source": "<source>", "DetailType": "{{ event_type }}", "Detail": "{{ payload }}" }
  ]
}`,
    parameters: [
      { name: 'bus', label: 'Event bus', help: 'Its name or ARN.', initial: 'default' },
      { name: 'source', label: 'Source', help: 'The source that rules of the bus match.', initial: 'sluice' },
    ],
    docs_url: `${AWS_DOCS}/eventbridge/latest/APIReference/API_PutEvents.html`,
  },
  {
    ...post,
    preset: 'pubsub-message',
    name: 'Publish to a topic',
    app: 'google-pubsub',
    path: '/v1/projects/<project>/topics/<topic>:publish',
    body: `{
  "messages": [
    {
      "data": "{{ payload | base64 }}",
      "attributes": { "event_id": "{{ event_id }}", "event_type": "{{ event_type }}" }
    }
  ]
}`,
    parameters: [
      { name: 'project', label: 'Project ID', help: 'Of the Google Cloud project.' },
      { name: 'topic', label: 'Topic', help: 'The last part of its name.' },
    ],
    docs_url: 'https://docs.cloud.google.com/pubsub/docs/reference/rest/v1/projects.topics/publish',
  },
  {
    ...post,
    preset: 'cloudflare-queue-message',
    name: 'Send to a queue',
    app: 'cloudflare',
    path: '/client/v4/accounts/<account_id>/queues/<queue_id>/messages',
    body: '{ "body": {{ payload }} }',
    parameters: [
      { name: 'account_id', label: 'Account ID', help: 'In the URL of the dashboard.' },
      { name: 'queue_id', label: 'Queue ID', help: 'On the page of the queue. The token needs Queues Edit.' },
    ],
    docs_url: 'https://developers.cloudflare.com/queues/examples/publish-to-a-queue-via-http/',
  },
  {
    ...post,
    preset: 's3-object',
    name: 'Put an object',
    app: 's3',
    method: 'PUT',
    path: '/<bucket>/<key>',
    body: '{{ payload }}',
    parameters: [
      { name: 'bucket', label: 'Bucket', help: 'Its name.' },
      {
        name: 'key',
        label: 'Key',
        help: 'With placeholders, so that each event has its own object.',
        initial: 'events/{{ event_id }}.json',
        isPath: true,
      },
    ],
    docs_url: `${AWS_DOCS}/AmazonS3/latest/API/API_PutObject.html`,
  },
];

const PLACEHOLDER = /(\{\{.*?\}\})/s;
/** Text with placeholders, which stay as they are; the rest is encoded. */
const encoded = (text: string, encode: (text: string) => string) =>
  text
    .split(PLACEHOLDER)
    .map((part, index) => (index % 2 === 1 ? part : encode(part)))
    .join('');
const inPath =
  ({ isPath }: PresetParameter) =>
  (text: string) =>
    isPath ? text.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(text);
const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** The fields of a destination: the request of a preset with these parameters. A missing one is empty. */
export function filledPreset(
  { method, path, headers, body, format, parameters }: ConnectionPreset,
  connection_id: string,
  values: Readonly<Record<string, string>>,
) {
  const fill = (text: string, encode: (parameter: PresetParameter) => (text: string) => string) =>
    parameters.reduce(
      (filled, parameter) =>
        filled.replaceAll(`<${parameter.name}>`, () => encoded(values[parameter.name] ?? '', encode(parameter))),
      text,
    );
  return {
    url: writeConnectionUrl(connection_id, fill(path, inPath)),
    method,
    headers: { ...headers },
    body_template: fill(body, () => inJson),
    body_format: format,
  };
}
