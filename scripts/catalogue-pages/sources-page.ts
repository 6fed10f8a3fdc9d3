/** docs/reference/sources.md: set-up, verification and event types of each source that pushes. */
import type { AppDefinition } from '../../server/connections/apps/definition.ts';
import { dottedTypes } from '../../server/connections/apps/event-names.ts';
import type { EventTypeDefinition, Place, Places, PushSource } from '../../server/connections/apps/source.ts';
import { cell, code, joined, link, NOTICE, page, references } from './markdown.ts';
import { describeSignature } from './signature-text.ts';

const HEAD = `# Sources that push

${NOTICE}

A trigger of one of these sources has a webhook endpoint. Either a user enters its URL at the app (the steps below,
which the console shows with URL and secret filled in), or the trigger registers it through a connection.
\`server/triggers/ingress/receive.ts\` describes how a request is processed. The data is in
\`server/connections/apps/catalogue/\` and \`server/connections/apps/events/\`, and
\`server/triggers/test/source-types.test.ts\` sends every sample to an endpoint, signed by an independent sender.
The libraries of 15 vendors accept what that sender sends for them (\`server/triggers/test/vendor-libraries.test.ts\`).

- **Verification** uses the exact bytes of the body, before it is parsed, and compares in constant time. After a secret
  is rotated here, the old one is valid for an overlap. Rejected requests are listed with their cause:
  \`GET /triggers/{trigger_id}/rejections\`.
- **Event types** are dotted. They are the app's own names, with dots where the app writes \`/\` or \`:\`; a name without a
  dot is prefixed with the app's id: \`push\` of GitHub is \`github.push\`. \`POST /triggers\` also accepts the app's own
  name (\`push\`); responses, deliveries (\`type\`) and templates have the dotted one. A type includes the types below it:
  \`github.issues\` includes \`issues.opened\`, \`github.*\` includes all. A request of another type, or one that doesn't
  match the parameters, gets 200 and is not stored. An omitted parameter matches every event.
- **The id** is the app's own. A request that repeats it within 24 hours returns the id of the event stored first. If a
  part of the id is missing, the request is stored as a new event.
- **Samples** are in \`GET /apps/{app}\`. They are payloads that the vendor publishes, or that a public client recorded,
  shortened. If only the resource is published, it is in the state that the event reports.

For any other program that sends requests, use the source \`webhook\`: with the secret in a header, HTTP Basic, an HMAC in a
form that the trigger describes, or without verification. It also receives apps that sign webhooks and have no section
here ([apps](apps.md) describes their signatures). It accepts other bodies than JSON, and other methods than POST
([deliveries](deliveries.md)).`;

/** A source that pushes, verified by the app's own signature, and all apps that share it. */
export type Section = { name: string; source: PushSource; apps: AppDefinition[] };

export const isPushed = ({ source }: AppDefinition): boolean =>
  source?.transport === 'push' && source.checked === 'webhook';

/** The sections of the page, by name. */
export function sectionsOf(definitions: readonly AppDefinition[]): Section[] {
  const sections = new Map<PushSource, Section>();
  for (const definition of definitions) {
    const { source, name } = definition;
    if (source?.transport !== 'push' || !isPushed(definition)) continue;
    const existing = sections.get(source);
    if (existing) existing.apps.push(definition);
    else sections.set(source, { name, source, apps: [definition] });
  }
  return [...sections.values()].sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

export function sourcesPage(sections: readonly Section[]): string {
  const contents = sections.map(({ name }) => link(name)).join(' · ');
  return page([HEAD, contents, ...sections.map(describeSection)]);
}

function describeSection({ name, source, apps: [first, ...others] }: Section): string {
  if (!first?.webhook) throw new Error(`${name}: expected a webhook signature`);
  const { docs } = source;
  const same = others.map((other) => `The source of ${other.name} is ${code(other.app)}; everything else is the same.`);
  const parameters = parametersOf(first);
  const facts = [
    `**Signature**: ${sentences(describeSignature(first.webhook.signature), docs?.verified, describeForm(source))}`,
    `**Secret**: ${describeSecret(source)}`,
    `**Handshake**: ${sentences(describeHandshake(source), docs?.handshake)}`,
    ...(source.items === false ? [] : [`**Body**: ${describeItems(source.items)}`]),
    `**Id**: ${sentences(describeId(source.id), docs?.id)}`,
    `**Parameters**: ${parameters.length === 0 ? 'none.' : ''}`,
  ];
  const list = facts.map((fact) => `- ${fact.trimEnd()}`);
  return [
    `## ${name}`,
    [`${code(first.app)}: ${first.description}`, ...same].join(' '),
    ...(first.hooks.length > 0 ? ['A trigger with a connection registers its endpoint. Without one:'] : []),
    source.steps.map((step, index) => `${index + 1}. ${step}`).join('\n'),
    [...list, ...parameters].join('\n'),
    typesTable(first),
    `For example, \`POST {base_url}/triggers\` with:`,
    `\`\`\`json\n${example(first)}\n\`\`\``,
    `Facts: ${sentences(`${references(docs?.facts ?? [])}.`, docs?.samples)}`,
  ].join('\n\n');
}

const sentences = (...texts: (string | undefined)[]): string => texts.filter(Boolean).join(' ');

function describeSecret({ secret, handshake }: PushSource): string {
  if (secret === 'ours') return 'generated here; enter it at the app.';
  const isSent = handshake?.kind === 'secret' || handshake?.kind === 'secret-header';
  return isSent ? 'sent by the app in the handshake.' : 'shown by the app; enter it here.';
}

const describeForm = ({ form }: PushSource): string =>
  form === null ? '' : `A form body is verified as sent; its field ${code(form)} has the JSON.`;

const describeItems = (items: true | string): string =>
  items === true ? 'a list; each item is an event.' : `each item of ${code(items)} is an event.`;

function describeHandshake({ handshake, secret }: PushSource): string {
  if (!handshake) return 'none.';
  const { kind } = handshake;
  if (kind === 'challenge') {
    const early = secret === 'theirs' ? ', also before the secret is entered' : '';
    return `a request in which ${when(handshake.when)} gets its ${code(handshake.reply)} as the response${early}.`;
  }
  if (kind === 'proof') {
    const [text, proof] = handshake.names;
    const hmac = 'the HMAC-SHA256 of it in hex under the secret';
    const response = `its ${code(handshake.reply)} as ${code(text)}, and ${hmac} as ${code(proof)}`;
    return `a signed request in which ${when(handshake.when)} returns ${response}. Enter the secret first.`;
  }
  if (kind === 'query') return `a GET with ${code(handshake.name)} returns the value of that parameter.`;
  if (kind === 'head') return 'a HEAD request gets 200, also before the secret is entered.';
  const until = 'It can be revealed, and another handshake replaces it, until a request signed with it arrives.';
  return kind === 'secret'
    ? `the first request has the secret as ${code(handshake.path)}. ${until}`
    : `the first request has the secret in ${code(handshake.header)}; the response returns it in that header. ${until}`;
}

const when = ({ path, equals }: { path: string; equals: string }): string => `${code(path)} is ${code(equals)}`;

function describeId(id: Places[] | null): string {
  if (!id) return 'none; each request is an event.';
  const isOfBody = id.flat().every((place) => 'body' in place);
  const parts = id.map((places) => {
    const [first = '', ...others] = [places].flat().map(placeName);
    return others.length === 0 ? first : `${first} (or ${joined(others, 'or')})`;
  });
  return `${joined(parts)}${isOfBody ? ' of the body' : ''}${id.length > 1 ? ', together' : ''}.`;
}

const placeName = (place: Place): string => code('header' in place ? place.header : place.body);

type Properties = Record<string, { description: string; examples?: unknown[] }>;
const propertiesOf = ({ parameters }: EventTypeDefinition) => (parameters['properties'] ?? {}) as Properties;

/** The parameters of all event types, each with its description, and its event types unless all have it. */
function parametersOf(definition: AppDefinition): string[] {
  const types = dottedTypes(definition);
  const properties = Object.assign({}, ...types.map(propertiesOf)) as Properties;
  return Object.entries(properties).map(([name, { description }]) => {
    const having = types.filter((type) => name in propertiesOf(type)).map(({ event_type }) => code(event_type));
    const only = having.length === types.length ? '' : ` Applies to ${joined(having)}.`;
    return `  - ${code(name)}: ${description}${only}`;
  });
}

const typesTable = (definition: AppDefinition): string =>
  [
    '| event type | sent when |',
    '|---|---|',
    ...dottedTypes(definition).map(({ event_type, description }) => `| ${code(event_type)} | ${cell(description)} |`),
  ].join('\n');

/** A trigger of the first event type, with the first example of each parameter. */
function example(definition: AppDefinition): string {
  const [first] = dottedTypes(definition);
  if (!first) throw new Error(`${definition.app}: expected event types`);
  const parameters = Object.entries(propertiesOf(first)).flatMap(([name, { examples = [] }]) =>
    examples.length === 0 ? [] : [[name, examples[0]]],
  );
  const members = Object.entries({
    source: definition.app,
    event_type: first.event_type,
    ...(parameters.length === 0 ? {} : { parameters: Object.fromEntries(parameters) }),
    destinations: [{ url: 'https://example.com/events' }],
  });
  return `{\n${members.map(([name, value]) => `  "${name}": ${JSON.stringify(value)}`).join(',\n')}\n}`;
}
