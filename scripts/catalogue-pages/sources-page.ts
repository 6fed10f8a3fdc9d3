/** docs/sources.md: how events of each source that pushes come in. */
import type { AppDefinition } from '../../server/connections/apps/definition.ts';
import { dottedTypes } from '../../server/connections/apps/event-names.ts';
import type { EventTypeDefinition, Place, Places, PushSource } from '../../server/connections/apps/source.ts';
import { cell, code, joined, link, NOTICE, page, references } from './markdown.ts';
import { describeSignature } from './signature-text.ts';

const HEAD = `# Sources that push

${NOTICE}

A trigger of one of these sources has a webhook endpoint. The app posts to it because a person entered its URL there (the
steps below, which the console shows with URL and secret filled in), or because the trigger registered it through a
connection. \`server/triggers/ingress/receive.ts\` describes what happens with a request; the data is in
\`server/connections/apps/catalogue/\` and \`server/connections/apps/events/\`, and
\`server/triggers/test/source-types.test.ts\` sends every sample of it to an endpoint, signed by an independent sender.

- **Verification** compares the body byte for byte as it came, before it is parsed, in constant time. A secret that was
  rotated here counts for its overlap. Rejected requests are listed with their cause:
  \`GET /triggers/{trigger_id}/rejections\`.
- **Event types** are dotted. They are the app's own names, with dots where the app writes \`/\` or \`:\`; a name without a
  dot is prefixed with the app's id: \`push\` of GitHub is \`github.push\`. \`POST /triggers\` also accepts the app's own name
  (\`push\`); replies, deliveries (\`type\`) and templates have the dotted one. A type includes the types below it:
  \`github.issues\` includes \`issues.opened\`, \`github.*\` includes all. A request of another type, or one that doesn't match
  the parameters, is answered 200 and not stored. A parameter that is left out matches every event.
- **The id** is the app's own. A request that repeats it within 24 hours is answered with the event stored first. Where a
  part of the id is missing, no request is a repetition.
- **Samples** are in \`GET /apps/{app}\`. They are payloads that the vendor publishes, or that a public client recorded,
  shortened; where only the resource is published, it is in the state that the event reports.

Any other program that posts JSON is received by the source \`webhook\`: with the secret in a header, HTTP Basic, an HMAC
in a form that the trigger describes, or without verification. Apps that sign webhooks and have no section here
([apps](apps.md) describes their signatures) can be received the same way.`;

/** Definitions that push, verified by the app's own signature; one section for those that share a source. */
export type Section = { name: string; source: PushSource; apps: AppDefinition[] };

export const isPushed = ({ source }: AppDefinition): boolean =>
  source?.transport === 'push' && source.checked === 'webhook';

/** The sections of the page, by name. */
export function sectionsOf(definitions: readonly AppDefinition[]): Section[] {
  const sections = new Map<PushSource, Section>();
  for (const definition of definitions) {
    const { source, name } = definition;
    if (source?.transport !== 'push' || !isPushed(definition)) continue;
    const known = sections.get(source);
    if (known) known.apps.push(definition);
    else sections.set(source, { name, source, apps: [definition] });
  }
  return [...sections.values()].sort((a, b) => a.name.localeCompare(b.name));
}

export function sourcesPage(sections: readonly Section[]): string {
  const contents = sections.map(({ name }) => link(name)).join(' · ');
  return page([HEAD, contents, ...sections.map(describeSection)]);
}

function describeSection({ name, source, apps: [first, ...others] }: Section): string {
  if (!first?.webhook) throw new Error(`${name}: expected a webhook signature`);
  const { docs } = source;
  const same = others.map((other) => `${other.name} is the source ${code(other.app)}, which is the same.`);
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
  form === null ? '' : `A body sent as a form is verified as it was sent; the JSON is its field ${code(form)}.`;

const describeItems = (items: true | string): string =>
  items === true ? 'a list; each item is an event.' : `each item of ${code(items)} is an event.`;

function describeHandshake({ handshake, secret }: PushSource): string {
  if (!handshake) return 'none.';
  const { kind } = handshake;
  if (kind === 'challenge') {
    const early = secret === 'theirs' ? ', also before the secret is entered' : '';
    return `a request whose ${when(handshake.when)} is answered with its ${code(handshake.reply)}${early}.`;
  }
  if (kind === 'proof') {
    const [text, proof] = handshake.names;
    const hmac = 'the HMAC-SHA256 of it in hex under the secret';
    const answer = `its ${code(handshake.reply)} as ${code(text)}, and ${hmac} as ${code(proof)}`;
    return `a signed request whose ${when(handshake.when)} is answered with ${answer}. So enter the secret first.`;
  }
  if (kind === 'query') return `a GET with ${code(handshake.name)} is answered with its text.`;
  const until = 'It can be revealed, and another replaces it, until a request signed with it arrives.';
  return kind === 'secret'
    ? `the first request has the secret as ${code(handshake.path)}. ${until}`
    : `the first request has the secret in ${code(handshake.header)}, which is returned in the same header. ${until}`;
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

/** The parameters of all event types, each with its description, and the types that have it where not all do. */
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
  const given = Object.entries(propertiesOf(first)).flatMap(([name, { examples = [] }]) =>
    examples.length === 0 ? [] : [[name, examples[0]]],
  );
  const members = Object.entries({
    source: definition.app,
    event_type: first.event_type,
    ...(given.length === 0 ? {} : { parameters: Object.fromEntries(given) }),
    destinations: [{ url: 'https://example.com/events' }],
  });
  return `{\n${members.map(([name, value]) => `  "${name}": ${JSON.stringify(value)}`).join(',\n')}\n}`;
}
