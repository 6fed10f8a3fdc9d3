/** The URL of an email destination (RFC 6068): `mailto:a@example.com,b@example.com?subject=…`. */
import { parseTemplate, type Template, TemplateError } from './body-template.ts';

export const RECIPIENTS_MAX = 20;
const SUBJECT_MAX_CHARS = 500;

/** `subject` is a template; undefined for the default one. */
export type MailUrl = { to: string[]; subject: Template | undefined };

const LOCAL = /^[^\s@<>()[\],;:\\"\u0000-\u001f\u007f-\u00a0]{1,64}$/u;
const DOMAIN =
  /^(?=.{1,253}$)(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)*[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;

/** The address without surrounding space; undefined if it is none that can be written without quotes. */
export function emailAddress(text: string): string | undefined {
  const address = text.trim();
  const at = address.lastIndexOf('@');
  return at > 0 && LOCAL.test(address.slice(0, at)) && DOMAIN.test(address.slice(at + 1)) ? address : undefined;
}

/** Reads the URL; a text is the reason why it is invalid. */
export function readMailUrl(url: string): MailUrl | string {
  const [, path = '', query = ''] = /^mailto:([^?#]*)(?:\?([^#]*))?/i.exec(url) ?? [];
  const to: string[] = [];
  for (const part of path.split(',')) {
    const given = decoded(part);
    const address = given === undefined || hasControls(given) ? undefined : emailAddress(given);
    if (address === undefined) return `expected email addresses separated by commas, got "${part}"`;
    if (!to.includes(address)) to.push(address);
  }
  if (to.length > RECIPIENTS_MAX) return `expected at most ${RECIPIENTS_MAX} email addresses`;
  let subject: Template | undefined;
  for (const field of query.split('&').filter(Boolean)) {
    const [name = '', ...rest] = field.split('=');
    const text = decoded(rest.join('='));
    if (name.toLowerCase() !== 'subject' || subject) return `expected one subject= after the ?, got "${name}"`;
    if (text === undefined || hasControls(text)) return 'subject: expected text in one line';
    if (text.length > SUBJECT_MAX_CHARS) return `subject: expected at most ${SUBJECT_MAX_CHARS} characters`;
    try {
      subject = parseTemplate(text);
    } catch (error) {
      if (error instanceof TemplateError) return `subject: ${error.message}`;
      throw error;
    }
  }
  return { to, subject };
}

export const isMailUrl = (url: string): boolean => /^\s*mailto:/i.test(url);

/** The addresses and the subject of a URL that is being edited, which need not be valid. */
export function partsOfMailUrl(url: string): { addresses: string; subject: string } {
  const [, addresses = '', query = ''] = /^\s*mailto:([^?]*)(?:\?(.*))?/is.exec(url) ?? [];
  const field = query.split('&').find((each) => /^subject=/i.test(each)) ?? '';
  const given = field.slice('subject='.length);
  return { addresses, subject: decoded(given) ?? given };
}

/** A URL from its parts; an empty subject is the default one. */
export function writeMailUrl(addresses: string, subject: string): string {
  const query = subject === '' ? '' : `?subject=${encodeURIComponent(subject)}`;
  return `mailto:${addresses.replaceAll(/\s+/g, '')}${query}`;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const hasControls = (text: string) => /[\u0000-\u001f\u007f\u0085\u2028\u2029]/.test(text);
