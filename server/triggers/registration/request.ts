/** The requests of a hook API, filled in. */
import { LongNumber } from '../../../contract/text/exact-json.ts';
import type { BodyTemplate, HookRequest, HookValue, HookValues } from '../../connections/apps/hook-api.ts';
import type { AppRequest, HeaderPair } from '../../connections/upstream/upstream-call.ts';

/** An invalid value: a parameter that would change the structure of the path. */
export class UnfitValue extends Error {
  override name = 'UnfitValue';
}

export function fillRequest({ method, path, body, form }: HookRequest, values: HookValues): AppRequest {
  const content =
    body === null ? null : Buffer.from(form ? asForm(fill(body, values)) : JSON.stringify(fill(body, values)));
  const headers: HeaderPair[] = [
    ['Accept', 'application/json'],
    ['Accept-Encoding', 'identity'],
  ];
  if (content) headers.push(['Content-Type', form ? 'application/x-www-form-urlencoded' : 'application/json']);
  return { method, path: fillPath(path, values), headers, body: content };
}

/** `{name}` is one segment, or one value of the query; `{+name}` several segments. */
export function fillPath(path: string, values: HookValues): string {
  const query = path.indexOf('?');
  return path.replace(/\{(\+?)(\w+)\}/g, (_, many: string, name: string, at: number) => {
    const value = textOf(values, name);
    if (query >= 0 && at > query) return encodeURIComponent(value);
    // Some servers decode a path before they parse it.
    if (value.split(/[/\\]/).some((part) => part === '' || part === '.' || part === '..'))
      throw new UnfitValue(
        `parameters.${name}: expected characters allowed in a URL, not ${JSON.stringify(value.slice(0, 100))}`,
      );
    return (many ? value.split('/') : [value]).map(encodeURIComponent).join('/');
  });
}

function textOf(values: HookValues, name: string): string {
  const value = values[name];
  if (value === undefined) throw new UnfitValue(`${name} is missing`);
  return typeof value === 'string' ? value : value.join(',');
}

function fill(template: BodyTemplate, values: HookValues): unknown {
  if (typeof template === 'string') return fillText(template, values);
  if (typeof template !== 'object' || template instanceof LongNumber) return template;
  if (isList(template)) return template.map((each) => fill(each, values));
  return Object.fromEntries(
    Object.entries(template).flatMap(([name, value]) =>
      namesOf(name, values).map((each) => [each, fill(value, values)]),
    ),
  );
}

const isList = (value: object): value is readonly BodyTemplate[] => Array.isArray(value);

const namesOf = (name: string, values: HookValues): readonly string[] =>
  name === '{events}' ? [values['events'] ?? []].flat() : [name];

/** A string that is one placeholder becomes the value itself, including a list; otherwise it is interpolated. */
function fillText(template: string, values: HookValues): HookValue {
  const lone = /^\{(\w+)\}$/.exec(template)?.[1];
  if (lone !== undefined) return values[lone] ?? textOf(values, lone);
  return template.replace(/\{(\w+)\}/g, (_, name: string) => textOf(values, name));
}

function asForm(body: unknown): string {
  const pairs = Object.entries(body as Record<string, unknown>).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, String(each)]),
  );
  return new URLSearchParams(pairs).toString();
}
