/**
 * The JSON key file of a service account (Google's format): `private_key`, `client_email` and the token URL in
 * `token_uri`. A user can paste or drop it in place of the key; it then fills the key and the fields with the names of
 * its members.
 */

import { badRequest } from '../../lib/failure.ts';
import type { MethodDefinition } from '../apps/definition.ts';
import { placeholders } from '../apps/template.ts';

/** The fields with the key file replaced by its members; unchanged without one. 400 for another kind of file. */
export function unpackKeyFile(method: MethodDefinition, fields: Record<string, string>): Record<string, string> {
  if (method.method !== 'JWT' || method.token.algorithm === 'HS256') return fields;
  const name = placeholders(method.token.key)[0] ?? '';
  const file = Object.hasOwn(fields, name) ? readFile(fields[name] ?? '') : undefined;
  if (!file) return fields;
  const wrong = (expected: string) => badRequest(`fields.${name}: expected ${expected}`);
  const { private_key, token_uri } = file;
  if (typeof private_key !== 'string') throw wrong('a key file of a service account that contains private_key');
  const url = method.exchange?.url;
  if (typeof token_uri === 'string' && url && !url.includes('{') && !isSameProvider(token_uri, url))
    throw wrong(`a key file for ${new URL(url).host}; the token_uri of this one is another server`);
  const filled: Record<string, string> = { ...fields, [name]: private_key };
  for (const field of method.fields) {
    const value = file[field.name];
    if (field.name === name || typeof value !== 'string') continue;
    const typed = fields[field.name]?.trim() ?? '';
    if (typed !== '' && typed !== value)
      throw badRequest(`fields.${field.name}: expected the ${field.name} of the key file, or nothing`);
    filled[field.name] = value;
  }
  return filled;
}

function readFile(text: string): Record<string, unknown> | undefined {
  if (!text.trim().startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** Google's older files contain a token URL that has moved since. */
const MOVED: Record<string, string> = { 'accounts.google.com': 'oauth2.googleapis.com' };

function isSameProvider(token_uri: string, url: string): boolean {
  if (!URL.canParse(token_uri)) return false;
  const { host } = new URL(token_uri);
  return (MOVED[host] ?? host) === new URL(url).host;
}
