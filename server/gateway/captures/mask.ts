/**
 * Masks secrets in captured requests and responses: values with names of credentials in headers, queries, forms, JSON,
 * XML and multipart bodies; the connection's own credentials anywhere; and texts that look like tokens. Works on text
 * that was cut.
 */
import { MASK } from '../../../contract/limits.ts';
import { isCredentialName } from '../../../contract/text/request-values.ts';

/** Names in addition to those of credentials in events. */
const MORE_NAMES =
  /^(?:pass|passphrase|passcode|pwd|pin|otp|totp|mfa_?code|cvv2?|cvc2?|security_?code|card_?number|ssn|bearer|code_?verifier|client_?assertion|assertion|sig|signature|.*_?signature|x-amz-(?:security-token|credential)|.*private_?key.*|.*secret.*|.*passw(?:or)?d.*|.*(?:api|access|auth|account)_?key|(?:access|refresh|id|auth|session|bearer|api|csrf|xsrf)_?tokens?)$/;
/** Places in lists, and numbers of tokens: not secret, and needed to understand a call. */
const HARMLESS =
  /^(?:next|prev|previous|page|next_?page|sync|next_?sync|continuation|start|cursor|pagination)_?tokens?$|^token_?(?:type|count|uri|url)$|^max_?tokens?$/;
const HEADERS = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'www-authenticate-token']);
/** Tokens by their form: bearer, of this service, JWT, and those of well-known vendors. */
const TOKENS =
  /\b(?:bearer|basic|token)\s+[A-Za-z0-9._~+/=-]{12,}|\bslc_[A-Za-z0-9_-]{16,}|\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*|\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}|\bsk-[A-Za-z0-9_-]{16,}|\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bxox[abeprs]-[A-Za-z0-9-]{10,}|\bAKIA[0-9A-Z]{16}\b/gi;
const NAME_MAX_CHARS = 200;
/** Shorter values would also mask other text. */
const OWN_MIN_CHARS = 6;

export type Secrets = {
  /** Values of the connection's credentials. */
  values: readonly string[];
  /** Names of headers (in lower case) and query parameters in which the app expects its credential. */
  names: ReadonlySet<string>;
};

/** The names in the places of an app's credential, which are `header x-key` or `query key`. */
export const namesOfPlaces = (places: ReadonlySet<string>): string[] =>
  [...places].map((place) => place.slice(place.indexOf(' ') + 1));

/** Whether a value with this name is masked. */
export function isSecretName(name: string): boolean {
  if (name.length > NAME_MAX_CHARS) return false;
  const snake = name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
  if (HARMLESS.test(snake)) return false;
  return isCredentialName(name) || MORE_NAMES.test(snake) || MORE_NAMES.test(name.toLowerCase());
}

/** Whether the value of a header is masked. */
const isSecretHeader = (lower: string, { names }: Secrets) =>
  HEADERS.has(lower) || names.has(lower) || isSecretName(lower);

/** Names and values of alternating `flat`, with secrets masked. */
export function maskHeaders(flat: readonly string[], secrets: Secrets): [string, string][] {
  const pairs: [string, string][] = [];
  for (let i = 0; i < flat.length; i += 2) {
    const name = flat[i] ?? '';
    const value = flat[i + 1] ?? '';
    pairs.push([
      name,
      isSecretHeader(name.toLowerCase(), secrets) ? MASK : maskText(maskQueries(value, secrets), secrets),
    ]);
  }
  return pairs;
}

/** A path with its query. */
export function maskPath(path: string, secrets: Secrets): string {
  const mark = path.indexOf('?');
  if (mark < 0) return maskText(path, secrets);
  const query = maskText(maskForm(path.slice(mark + 1), secrets), secrets);
  return `${maskText(path.slice(0, mark), secrets)}?${query}`;
}

/** The text of a body of this type. */
export function maskBody(text: string, contentType: string, secrets: Secrets): string {
  const type = contentType.toLowerCase();
  let masked = text;
  if (type.startsWith('application/x-www-form-urlencoded')) masked = maskForm(text, secrets);
  else if (type.startsWith('multipart/')) masked = maskMultipart(text, contentType, secrets);
  else if (/^\s*[{[]/.test(text) || /json|event-stream|javascript|graphql/.test(type)) masked = maskJson(text, secrets);
  else if (/^\s*</.test(text)) masked = maskXml(text, secrets);
  else if (type === '' && /^[\w.%+-]+=/.test(text)) masked = maskForm(text, secrets);
  else masked = maskJson(text, secrets);
  return maskText(maskQueries(masked, secrets), secrets);
}

const isSecretField = (name: string, { names }: Secrets) => names.has(name) || isSecretName(name);

/** `a=1&b=2`: everything else stays as it is. */
function maskForm(form: string, secrets: Secrets): string {
  return form
    .split('&')
    .map((part) => {
      const end = part.indexOf('=');
      if (end < 0) return part;
      const name = decoded(part.slice(0, end));
      // `user[password]` and `card.cvc`.
      const last = /[^[\].]+(?=\]?$)/.exec(name)?.[0] ?? name;
      return isSecretField(name, secrets) || isSecretField(last, secrets) ? `${part.slice(0, end)}=${MASK}` : part;
    })
    .join('&');
}

/** Secret parameters of URLs within a text. */
function maskQueries(text: string, secrets: Secrets): string {
  return text.replace(/([?&]|&amp;)([\w.%[\]-]{1,100})=([^&\s"'<>\\#]+)/g, (whole, before: string, name: string) =>
    isSecretField(decoded(name), secrets) ? `${before}${name}=${MASK}` : whole,
  );
}

/** The connection's credentials, and what looks like a token. */
function maskText(text: string, { values }: Secrets): string {
  let masked = text;
  for (const value of values) {
    if (value.length < OWN_MIN_CHARS) continue;
    for (const form of new Set([value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]))
      masked = masked.replaceAll(form, MASK);
  }
  return masked.replace(TOKENS, MASK);
}

/**
 * JSON, also several values in a row or within other text. Copies the text, except for values of secret names: strings,
 * numbers, arrays and objects. `null`, `true` and `false` stay.
 * Strings that are JSON or a form themselves are masked likewise.
 */
function maskJson(text: string, secrets: Secrets, level = 0): string {
  let out = '';
  let copied = 0;
  let at = 0;
  while (at < text.length) {
    const quote = text.indexOf('"', at);
    if (quote < 0) break;
    const end = endOfString(text, quote);
    at = end;
    const colon = /^\s*:\s*/.exec(text.slice(end, end + 64))?.[0];
    if (colon === undefined) {
      const quoted = maskQuoted(text.slice(quote, end), secrets, level);
      if (quoted === undefined) continue;
      out += text.slice(copied, quote) + quoted;
      copied = end;
      continue;
    }
    if (!isSecretField(unescaped(text.slice(quote + 1, end - 1)), secrets)) continue;
    const from = end + colon.length;
    const to = endOfValue(text, from);
    if (to === from || /^(?:null|true|false|"")$/.test(text.slice(from, to))) continue;
    out += `${text.slice(copied, from)}"${MASK}"`;
    copied = to;
    at = to;
  }
  return out + text.slice(copied);
}

const LEVELS_MAX = 3;

/** A string that is JSON or a form itself, masked; undefined if it has no secrets. */
function maskQuoted(quoted: string, secrets: Secrets, level: number): string | undefined {
  if (level >= LEVELS_MAX || !/[{[]\\|=/.test(quoted)) return undefined;
  const inner = unquoted(quoted);
  if (inner === undefined) return undefined;
  const isForm = /^[\w.%[\]+-]+=/.test(inner);
  const masked = isForm ? maskForm(inner, secrets) : maskJson(inner, secrets, level + 1);
  return masked === inner ? undefined : JSON.stringify(masked);
}

/** The value of a string, which may be cut: within an escape, too. */
function unquoted(quoted: string): string | undefined {
  const isClosed = quoted.length > 1 && quoted.endsWith('"');
  const attempts = isClosed ? [quoted] : [];
  for (let dropped = 0; dropped < 6; dropped++) attempts.push(`${quoted.slice(0, quoted.length - dropped)}"`);
  for (const each of attempts) {
    try {
      return String(JSON.parse(each));
    } catch {}
  }
  return undefined;
}

/** After the closing quote, or at the end of a cut text. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === '"') return i + 1;
  }
  return text.length;
}

function endOfValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return endOfString(text, start);
  if (first !== '{' && first !== '[')
    return start + (/^[^\s,\]}"]*/.exec(text.slice(start, start + 400))?.[0].length ?? 0);
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    const c = text[i];
    if (c === '"') i = endOfString(text, i) - 1;
    else if (c === '{' || c === '[') depth++;
    else if ((c === '}' || c === ']') && --depth === 0) return i + 1;
  }
  return text.length;
}

function unescaped(name: string): string {
  if (!name.includes('\\')) return name;
  try {
    return String(JSON.parse(`"${name}"`));
  } catch {
    return name;
  }
}

/** Elements and attributes with secret names. */
function maskXml(text: string, secrets: Secrets): string {
  const local = (name: string) => name.slice(name.indexOf(':') + 1);
  return text
    .replace(/<([\w:.-]{1,100})((?:\s[^<>]*)?)>([^<]+)(?=<|$)/g, (whole, name: string, attributes: string) =>
      isSecretField(local(name), secrets) ? `<${name}${attributes}>${MASK}` : whole,
    )
    .replace(/([\w:.-]{1,100})=("[^"]*"|'[^']*')/g, (whole, name: string) =>
      isSecretField(local(name), secrets) ? `${name}="${MASK}"` : whole,
    );
}

/** The contents of parts with secret names, and of files. */
function maskMultipart(text: string, contentType: string, secrets: Secrets): string {
  const [, quoted, plain] = /boundary=(?:"([^"]{1,200})"|([^\s;]{1,200}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) return maskJson(text, secrets);
  return text
    .split(`--${boundary}`)
    .map((part) => {
      const head = /^\r?\n[\s\S]*?\r?\n\r?\n/.exec(part)?.[0];
      if (head === undefined) return part;
      const name = /\bname="([^"]*)"/i.exec(head)?.[1] ?? '';
      const end = /\r?\n$/.exec(part)?.[0] ?? '';
      if (isSecretField(name, secrets)) return `${head}${MASK}${end}`;
      const type = /content-type:\s*([^\r\n]+)/i.exec(head)?.[1] ?? '';
      return head + maskBody(part.slice(head.length, part.length - end.length), type, secrets) + end;
    })
    .join(`--${boundary}`);
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name;
  }
}
