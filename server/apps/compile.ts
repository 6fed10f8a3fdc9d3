import { RE2JS } from 're2js';
import type { AuthMethod } from '../../contract/states.ts';
import type { AppDefinition, MethodDefinition, Placement } from './definition.ts';
import { fill, placeholders } from './template.ts';

/** A definition that can't work: the message names the place first. */
export class AppMistake extends Error {
  override name = 'AppMistake';
}

/** What the gateway needs to call an app with one connection's credentials. */
export type Target = {
  origin: string;
  host: string;
  /** Stands before the native path; never ends with a slash. */
  base_path: string;
  /** Names and values in turn, as they are sent. */
  headers: string[];
  /** Lower-case names of headers the caller can't send. */
  replaced: ReadonlySet<string>;
  query: [name: string, value: string][];
  /** Sent when the caller sends none of that (lower-case) name. */
  defaults: [lower: string, name: string, value: string][];
};

export type CompiledApp = {
  definition: AppDefinition;
  method(method: AuthMethod): MethodDefinition | undefined;
  /** Where a call goes with these fields; undefined for an app that can't be called. Fields that make no address throw. */
  target(method: AuthMethod, fields: Record<string, string>): Target | undefined;
};

const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
/** Headers that frame the request or are the service's own. */
const FRAMING =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|upgrade|expect|te|trailer|cookie|proxy-.*|service-.*)$/i;

/** Reads a definition once; throws `AppMistake` on what can't work. */
export function compileApp(definition: AppDefinition): CompiledApp {
  const base = definition.base_url === null ? null : readBase(definition.base_url);
  if (!base && definition.methods.length > 0) throw new AppMistake('base_url: expected one where there are methods');
  const methods = new Map<AuthMethod, MethodDefinition>();
  for (const [index, method] of definition.methods.entries()) {
    const at = `methods.${index}`;
    if (methods.has(method.method)) throw new AppMistake(`${at}.method: ${method.method} stands there twice`);
    checkMethod(at, method, definition.base_url ?? '', base?.origin ?? '');
    methods.set(method.method, method);
  }
  const defaults = Object.entries(definition.default_headers).map(([name, value]): Target['defaults'][number] => [
    name.toLowerCase(),
    name,
    value,
  ]);
  for (const [, name] of defaults) checkHeaderName('default_headers', name);

  return {
    definition,
    method: (name) => methods.get(name),
    target(name, fields) {
      const method = methods.get(name);
      if (!base || !method) return undefined;
      const origin = fill(base.origin, fields);
      if (!URL.canParse(origin)) throw new AppMistake(`fields: expected what makes an address, not ${origin}`);
      const url = new URL(origin);
      const inHeader = method.put.filter((place) => place.in === 'header');
      return {
        origin: url.origin,
        host: url.host,
        base_path: fill(base.path, fields, encodeSegment),
        headers: inHeader.flatMap((place) => [place.name, fill(place.template, fields)]),
        replaced: new Set(inHeader.map((place) => place.name.toLowerCase())),
        query: method.put
          .filter((place) => place.in === 'query')
          .map((place) => [place.name, fill(place.template, fields)]),
        defaults,
      };
    },
  };
}

/** The address in two parts, placeholders left in: what must be a host's name is never confused with a path. */
function readBase(base_url: string): { origin: string; path: string } {
  if (!URL.canParse(base_url)) throw new AppMistake('base_url: expected an absolute http or https address');
  const url = new URL(base_url);
  if (!/^https?:$/.test(url.protocol)) throw new AppMistake('base_url: expected an absolute http or https address');
  if (url.search || url.hash || url.username) throw new AppMistake('base_url: expected no ?, # or user name in it');
  const path = url.pathname.replace(/%7B(\w+)%7D/gi, '{$1}').replace(/\/+$/, '');
  return { origin: `${url.protocol}//${url.host}`, path };
}

function checkMethod(at: string, method: MethodDefinition, base_url: string, origin: string): void {
  const fields = new Map(method.fields.map((field) => [field.name, field]));
  if (fields.size !== method.fields.length) throw new AppMistake(`${at}.fields: expected each name once`);
  for (const field of method.fields) {
    if (!/^\w+$/.test(field.name)) throw new AppMistake(`${at}.fields: ${field.name} can't be the name of a field`);
    if (field.pattern !== null) RE2JS.compile(field.pattern);
  }
  const need = (where: string, template: string) => {
    for (const name of placeholders(template)) {
      if (!fields.get(name)?.required)
        throw new AppMistake(`${where}: {${name}} names no field that must be filled in`);
    }
  };
  need('base_url', base_url);
  // Without a pattern a person could name another host, port or path.
  const loose = placeholders(origin).find((name) => !fields.get(name)?.pattern);
  if (loose) throw new AppMistake(`base_url: {${loose}} stands in the host and its field has no pattern`);
  for (const [index, place] of method.put.entries()) checkPlacement(`${at}.put.${index}`, place, need);
  const used = new Set([base_url, ...method.put.map((place) => place.template)].flatMap(placeholders));
  const idle = method.fields.find((field) => !used.has(field.name));
  if (idle) throw new AppMistake(`${at}.fields: ${idle.name} is asked for and never sent`);
}

function checkPlacement(at: string, place: Placement, need: (where: string, template: string) => void): void {
  if (place.in === 'header') checkHeaderName(`${at}.name`, place.name);
  if (!/^[\x20-\x7e]+$/.test(place.template)) throw new AppMistake(`${at}.template: expected printable characters`);
  need(`${at}.template`, place.template);
}

function checkHeaderName(at: string, name: string): void {
  if (!NAME.test(name) || FRAMING.test(name)) throw new AppMistake(`${at}: ${name} is not a header an app may be sent`);
}

/** A colon may stand in a path segment, and some keys have one. */
const encodeSegment = (value: string) => encodeURIComponent(value).replaceAll('%3A', ':');
