/** docs/reference/apps.md: the connection methods of each app that can be called, and the sources of its facts. */

import { APP_CATEGORIES } from '../../contract/states.ts';
import { CATEGORY_NAMES } from '../../contract/text/category-names.ts';
import type {
  AppDefinition,
  FieldDefinition,
  Login,
  MethodDefinition,
  Placement,
} from '../../server/connections/apps/definition.ts';
import { code, joined, link, NOTICE, page, references } from './markdown.ts';
import { describeSignature } from './signature-text.ts';
import { isPushed, type Section } from './sources-page.ts';

const HEAD = `# Apps

${NOTICE}

The apps of the catalogue: the fields of a connection to each, the request that checks its credentials, and the
signature of its webhooks. Call an app at \`{base_url}/<app>/<native path>\` with the credentials of a connection
([gateway](gateway.md)). The methods are described in [connections](connections.md), events in [sources](sources.md).
**Further hosts** are called by name with the same connection ([gateway](gateway.md)).
OAuth 1.0a and authorization codes need a client that the account registers at the app. To add an app, write one file
([adding an app](../internals/adding-an-app.md)).

**Check** is the request that checks credentials when they are entered, and when a connection is tested. It is also a
good first call. Without a check, a key or password is saved unchecked.

**Facts** lists the sources of the base URL, authorization and token URLs, scopes, header formats, client
authentication, PKCE and webhook signatures. Each app has two independent sources: the vendor's documentation, if it was
read, and public clients or specifications that work with the app. Facts on which the two differ are omitted. A source is
a URL, or a path in a public GitHub repository as \`owner/repo path\`. PKCE is on if the vendor documents it or a public
client sends it. Otherwise it is off, because some providers reject unknown parameters.`;

/** The text of the page, by category. `sections` are the sections of docs/reference/sources.md, as link targets. */
export function appsPage(definitions: readonly AppDefinition[], sections: readonly Section[]): string {
  const apps = definitions
    .filter(({ methods }) => methods.length > 0)
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
  const groups = APP_CATEGORIES.map((category) => ({
    name: CATEGORY_NAMES[category],
    apps: apps.filter((app) => app.category === category),
  })).filter((group) => group.apps.length > 0);
  const contents = groups.map(
    (group) => `- **${link(group.name)}**: ${group.apps.map(({ name }) => link(name)).join(', ')}`,
  );
  return page([
    HEAD,
    contents.join('\n'),
    ...groups.flatMap((group) => [`## ${group.name}`, ...group.apps.map((app) => section(app, sections))]),
  ]);
}

function section(definition: AppDefinition, sections: readonly Section[]): string {
  const { app, name, description, docs_url, base_url, default_headers, methods, evidence } = definition;
  const defaults = Object.entries(default_headers).map((header) => code(header.join(': ')));
  const isUnused = methods.every((method) => method.base_url !== undefined);
  const lines = [
    ...(base_url === null || isUnused ? [] : [`- **Base URL**: ${code(base_url)}`]),
    ...furtherHosts(definition),
    ...(defaults.length === 0
      ? []
      : [`- **Default headers**: ${defaults.join(', ')}, unless the caller sends its own`]),
    ...methods.map((method) => `- **${METHOD_NAMES[method.method]}**: ${describeMethod(method)}`),
    ...describeProbe(definition),
    ...describeEvents(definition, sections),
    ...(evidence ? [factsOf(evidence)] : []),
  ];
  const docs = docs_url === null ? '' : ` [API documentation](${docs_url})`;
  return `### ${name}\n\n${code(app)}: ${description}${docs}\n\n${lines.join('\n')}`;
}

const furtherHosts = ({ gateway: { hosts } }: AppDefinition): string[] => {
  const all = Object.entries(hosts).map(([name, url]) => `${code(name)} ${code(url)}`);
  return all.length === 0 ? [] : [`- **Further hosts**: ${all.join(', ')}`];
};
/** The vendor's references first. Two clients confirm each other. */
function factsOf({ verified, vendor, others }: NonNullable<AppDefinition['evidence']>): string {
  const [first, ...rest] = vendor.length > 0 ? [vendor, others] : [others.slice(0, 1), others.slice(1)];
  return `- **Facts**: ${references(first ?? [])}. Confirmed by ${references(rest.flat())}. Compared ${verified}.`;
}

const METHOD_NAMES: Record<MethodDefinition['method'], string> = {
  API_KEY: 'API key',
  BASIC: 'User name and password',
  JWT: 'JSON Web Token',
  OAUTH1: 'OAuth 1.0a',
  OAUTH2: 'OAuth 2.0',
  MCP: 'MCP',
};

/** The fields that a user enters, and the position of the credentials in a call. */
function describeMethod(method: MethodDefinition): string {
  const fields = method.fields.length === 0 ? [] : [method.fields.map(describeField).join('; ')];
  const baseUrl = method.base_url === undefined ? [] : [`Base URL ${code(method.base_url)}`];
  return [...fields, ...baseUrl, ...describeKind(method)].map((text) => `${text.replace(/\.$/, '')}.`).join(' ');
}

function describeField({ label, help, required }: FieldDefinition): string {
  const remarks = [
    ...(required ? [] : ['optional']),
    ...(help === null ? [] : [help.replace(/\.$/, '').replaceAll('<', '\\<')]),
  ];
  return remarks.length === 0 ? label : `${label} (${remarks.join(': ')})`;
}

function describeKind(method: MethodDefinition): string[] {
  switch (method.method) {
    case 'API_KEY':
      return [...loginOf(method.login), sentIn(method.put)];
    case 'BASIC':
      if (method.login) return [...loginOf(method.login), sentIn(method.login.put)];
      return [`Sent as HTTP Basic ${code(`${method.username}:${method.password}`)}`];
    case 'JWT': {
      const signed = `Signs a token with ${method.token.algorithm}`;
      return [method.exchange ? `${signed}, exchanged for an access token at ${code(method.exchange.url)}` : signed];
    }
    case 'OAUTH1':
      return [`Signed with ${method.signature}`];
    case 'OAUTH2': {
      const scopes = method.scopes.length === 0 ? [] : [`Scopes ${method.scopes.map(code).join(', ')}`];
      if (method.grant === 'client_credentials')
        return ['Client credentials', ...scopes, ...sentUnlessBearer(method.put)];
      if (method.grant === 'device_code') return ['Device code', ...scopes, ...sentUnlessBearer(method.put)];
      return [`Authorization code${method.pkce ? ' with PKCE' : ''}`, ...scopes, ...sentUnlessBearer(method.put)];
    }
    case 'MCP':
      return [
        `Server ${code(method.server_url)}`,
        ...(needsToken(method) ? [] : ['Its authorization URLs are discovered']),
      ];
  }
}

const loginOf = (login: Login | undefined): string[] =>
  login ? [`Exchanged for an access token by a login at ${code(login.url)}`] : [];

const needsToken = ({ fields }: MethodDefinition): boolean =>
  fields.some(({ name, required }) => name === 'token' && required);

/** Without a header or parameter, the credential is part of the base URL. */
function sentIn(put: readonly Placement[]): string {
  const places = put.map((place) =>
    place.in === 'header' ? code(`${place.name}: ${place.template}`) : code(`?${place.name}=${place.template}`),
  );
  return places.length === 0 ? 'Sent in the path' : `Sent as ${joined(places)}`;
}

const sentUnlessBearer = (put: readonly Placement[]): string[] =>
  put.every(({ template }) => template === 'Bearer {access_token}') ? [] : [sentIn(put)];

function describeProbe({ app, probe, methods }: AppDefinition): string[] {
  if (!probe) return methods.some(({ method }) => /^(API_KEY|BASIC)$/.test(method)) ? ['- **Check**: none'] : [];
  const body = probe.body === null ? '' : ` with ${code(probe.body)}`;
  return [`- **Check**: ${code(`${probe.method} {base_url}/${app}${probe.path}`)}${body}`];
}

/** A link to the app's source. For an app without one, the signature to configure in the source `webhook`. */
function describeEvents(definition: AppDefinition, sections: readonly Section[]): string[] {
  const { app, webhook, hooks } = definition;
  if (isPushed(definition)) {
    const heading = sections.find(({ apps }) => apps.some((each) => each.app === app))?.name ?? '';
    const registered = hooks.length > 0 ? ', registered through the connection' : '';
    return [`- **Events**: ${link(heading, 'sources.md')}${registered}`];
  }
  if (!webhook) return [];
  return [`- **Webhook signature**: ${describeSignature(webhook.signature)} ([documentation](${webhook.docs_url}))`];
}
