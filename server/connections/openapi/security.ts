/** The security schemes of a document, as methods of a custom app. */
import type { z } from 'zod';
import type { AppCreate } from '../../../contract/apps.ts';
import { lineOf, listOf, type Node, type Note, objectOf, resolveRef } from './document.ts';
import { fieldName, toAbsolute } from './servers.ts';

export type Method = z.input<typeof AppCreate>['methods'][number];
type Place = { in: 'header' | 'query'; name: string; template: string };

/** An OpenID Connect provider, whose metadata has the URLs of its OAuth 2 method. */
export type OpenId = { at: string; url: string; scopes: string[] };

export type Security = { methods: Method[]; openId: OpenId | null };

/** Alternatives that are tried, and scopes that are requested without a choice of the user. */
const MAX_ALTERNATIVES = 100;
const MAX_SCOPES = 20;

/** Each alternative of the document's security that a connection can use, one of a method. */
export function readSecurity(root: Node, required: readonly Node[], base: URL | undefined, notes: Note[]): Security {
  const schemes = schemesOf(root);
  const security: Security = { methods: [], openId: null };
  const alternatives = required.filter((each) => Object.keys(each).length > 0).slice(0, MAX_ALTERNATIVES);
  const unused = [...schemes.keys()].filter((name) => !alternatives.some((each) => Object.hasOwn(each, name)));
  for (const each of [...alternatives, ...unused.map((name): Node => ({ [name]: [] }))])
    addAlternative(security, each, { schemes, base, notes });
  if (schemes.size === 0)
    notes.push({ at: 'security', message: 'The document has no security schemes. Choose how users authenticate.' });
  return security;
}

type Schemes = ReadonlyMap<string, { at: string; scheme: Node }>;
type Reading = { schemes: Schemes; base: URL | undefined; notes: Note[] };

function schemesOf(root: Node): Schemes {
  const isSwagger = root['swagger'] !== undefined;
  const at = isSwagger ? 'securityDefinitions' : 'components.securitySchemes';
  const all = isSwagger ? root['securityDefinitions'] : objectOf(root['components'])['securitySchemes'];
  return new Map(
    Object.entries(objectOf(all))
      .slice(0, MAX_ALTERNATIVES)
      .map(([name, scheme]) => [
        name,
        { at: `${at}.${name.slice(0, 100)}`, scheme: resolveRef(root, scheme) ?? objectOf(scheme) },
      ]),
  );
}

function addAlternative(security: Security, alternative: Node, reading: Reading): void {
  const { schemes, notes } = reading;
  const named = Object.entries(alternative).map(([name, scopes]) => ({ known: schemes.get(name), name, scopes }));
  const [first] = named;
  const missing = named.find(({ known }) => known === undefined);
  if (!first?.known || missing?.name !== undefined) {
    once(notes, { at: 'security', message: `There is no security scheme ${(missing?.name ?? '').slice(0, 100)}.` });
    return;
  }
  const { at } = first.known;
  const read =
    named.length === 1
      ? readScheme(first.known.scheme, at, scopesOf(first.scopes), reading)
      : readKeys(
          named.flatMap(({ known, name }) => (known ? [{ ...known, name }] : [])),
          notes,
        );
  if (read === undefined) return;
  if ('url' in read) {
    security.openId ??= read;
    return;
  }
  const known = security.methods.find(({ method }) => method === read.method);
  if (known === undefined) security.methods.push(read);
  else if (JSON.stringify(known) !== JSON.stringify(read))
    once(notes, { at, message: 'Left out: an app has one method of each kind.' });
}

const scopesOf = (given: unknown) => listOf(given).flatMap((each) => scopeOf(each));
const scopeOf = (value: unknown): string[] =>
  typeof value === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/.test(value) ? [value] : [];

function readScheme(scheme: Node, at: string, scopes: string[], reading: Reading): Method | OpenId | undefined {
  const { notes, base } = reading;
  switch (scheme['type']) {
    case 'oauth2':
      return readFlows(flowsOf(scheme), at, scopes, reading);
    case 'openIdConnect': {
      const url = toAbsolute(String(scheme['openIdConnectUrl'] ?? ''), base);
      if (url !== undefined) return { at, url, scopes: scopes.length > 0 ? scopes : ['openid'] };
      once(notes, { at, message: 'openIdConnectUrl is not a complete URL.' });
      return undefined;
    }
    case 'basic':
      return { method: 'BASIC' };
    case 'http':
      if (String(scheme['scheme']).toLowerCase() === 'basic') return { method: 'BASIC' };
  }
  const place = placeOf(scheme, at, '{api_key}', notes);
  return place && { method: 'API_KEY', place };
}

/** Several credentials in one request: a key and further ones. */
function readKeys(schemes: { at: string; scheme: Node; name: string }[], notes: Note[]): Method | undefined {
  const places = schemes.map(({ at, scheme, name }, index) =>
    placeOf(scheme, at, index === 0 ? '{api_key}' : `{${fieldName(name)}}`, notes),
  );
  const [place, ...more] = places.filter((each) => each !== undefined);
  if (place === undefined || places.includes(undefined) || more.length > 5) {
    const names = schemes.map(({ name }) => name.slice(0, 50)).join(' and ');
    once(notes, { at: 'security', message: `${names} together are not supported.` });
    return undefined;
  }
  return { method: 'API_KEY', place, more_places: more };
}

/** Where a key or token is sent; undefined, with a note, if the gateway can't send it there. */
function placeOf(scheme: Node, at: string, value: string, notes: Note[]): Place | undefined {
  const type = lineOf(scheme['type']);
  const name = lineOf(scheme['name'], 100);
  if (type === 'http') {
    const word = String(scheme['scheme'] ?? '');
    if (/^bearer$/i.test(word)) return { in: 'header', name: 'Authorization', template: `Bearer ${value}` };
    if (/^[A-Za-z][A-Za-z-]{0,30}$/.test(word) && !UNSUPPORTED.test(word)) {
      once(notes, { at, message: `The key is sent as ${word} in the header Authorization.` });
      return { in: 'header', name: 'Authorization', template: `${word} ${value}` };
    }
    once(notes, { at, message: `HTTP ${word.slice(0, 50) || 'authentication'} is not supported.` });
    return undefined;
  }
  if (type !== 'apiKey' || name === undefined || (scheme['in'] !== 'header' && scheme['in'] !== 'query')) {
    const what =
      type === 'apiKey' ? `A key in ${lineOf(scheme['in'], 50) ?? 'no place'}` : (type ?? 'A scheme without type');
    once(notes, { at, message: `${what} is not supported.` });
    return undefined;
  }
  if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(name)) {
    once(notes, { at, message: `${name} is not the name of a header or query parameter.` });
    return undefined;
  }
  return { in: scheme['in'], name, template: `${prefixOf(scheme, name, at, notes)}${value}` };
}

const UNSUPPORTED = /^(?:basic|digest|hoba|mutual|negotiate|oauth|scram-.*|vapid|dpop|gnap|privatetoken)$/i;

/** A key in `Authorization` often has a word before it, which only the description mentions. */
function prefixOf(scheme: Node, name: string, at: string, notes: Note[]): string {
  if (name.toLowerCase() !== 'authorization') return '';
  const described = lineOf(scheme['description'], 1_000) ?? '';
  const [, word] = /\b(Bearer|Token|ApiKey|Api-Key|Key|Klaviyo-API-Key)\b[ =]*["'`]?[<{[]/i.exec(described) ?? [];
  const known = word ?? (/\bBearer\b/.test(described) ? 'Bearer' : undefined);
  if (known === undefined) {
    once(notes, { at, message: 'The header Authorization has the key alone. Add a word such as Bearer if needed.' });
    return '';
  }
  once(notes, { at, message: `The description says that ${known} precedes the key.` });
  return `${known} `;
}

type Flows = { code: Node | undefined; client: Node | undefined; others: string[] };

function flowsOf(scheme: Node): Flows {
  const one = lineOf(scheme['flow'], 50);
  const flows = one === undefined ? objectOf(scheme['flows']) : { [one]: scheme };
  const found = (...names: string[]) =>
    names.flatMap((name) => (flows[name] === undefined ? [] : [objectOf(flows[name])]))[0];
  return {
    code: found('authorizationCode', 'accessCode'),
    client: found('clientCredentials', 'application'),
    others: Object.keys(flows).filter((name) => /^(?:implicit|password|deviceAuthorization)$/.test(name)),
  };
}

function readFlows(
  { code, client, others }: Flows,
  at: string,
  required: string[],
  reading: Reading,
): Method | undefined {
  const { base, notes } = reading;
  const flow = code ?? client;
  if (flow === undefined) {
    once(notes, {
      at,
      message: `OAuth 2 without an authorization code is not supported: ${others.join(', ') || 'no flow'}.`,
    });
    return undefined;
  }
  if (code && client) once(notes, { at, message: 'Client credentials are possible as well: choose the grant below.' });
  const token_url = toAbsolute(String(flow['tokenUrl'] ?? ''), base);
  const authorize_url = toAbsolute(String(flow['authorizationUrl'] ?? ''), base);
  const refresh_url = toAbsolute(String(flow['refreshUrl'] ?? ''), base);
  if (token_url === undefined || (code && authorize_url === undefined)) {
    once(notes, { at, message: 'The authorization URL or the token URL is not a complete URL.' });
    return undefined;
  }
  const all = Object.keys(objectOf(flow['scopes'])).flatMap(scopeOf);
  const scopes = required.length > 0 ? required : all.length <= MAX_SCOPES ? all : [];
  if (scopes.length === 0 && all.length > 0)
    once(notes, { at, message: `None of its ${all.length} scopes is requested. Enter those that you need.` });
  return {
    method: 'OAUTH2',
    grant: code ? 'authorization_code' : 'client_credentials',
    ...(code ? { authorize_url } : {}),
    token_url,
    ...(refresh_url === undefined || refresh_url === token_url ? {} : { refresh_url }),
    scopes: scopes.slice(0, 100),
  };
}

/** Several alternatives can have the same scheme. */
function once(notes: Note[], note: Note): void {
  if (!notes.some(({ at, message }) => at === note.at && message === note.message)) notes.push(note);
}
