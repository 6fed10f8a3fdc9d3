/**
 * Signatures of messages: the part of a message that is the same for every failure of one cause. Ids, numbers, times,
 * URLs, email addresses, quoted values and secrets become `…`. The result is shown in titles, so nothing secret passes.
 */

/** Characters that are read of a message or a body. */
const READ_CHARS = 4_096;
const SIGNATURE_CHARS = 240;

const DAY = '(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}';
const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}';
/** Words before a quoted name that belongs to the program, not to the data. */
const NAMING =
  /\b(?:reading|setting|property|key|keyerror|field|column|parameter|argument|attribute|variable|module|package|header|function|method|table|relation|type)\W{0,3}$/i;
/** Words before a number that is the status of a response. */
const STATUS = /\b(?:status|status code|code|http|https|error|returned|responded|responds|with|got)\W{0,3}$/i;

/** In order: each pattern sees what those before it left. All are linear: repetitions are bounded or exclude each other. */
const VARIABLE: readonly RegExp[] = [
  /\b(?:bearer|basic|digest)\s+[\w.~+/=-]{6,}/gi,
  /(?<=\b(?:password|passwd|secret|token|api[_-]?key|authorization|credential)s?["']?\s?[:=]\s?)["']?[^\s"',;&]{1,500}/gi,
  /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>`]+/gi,
  /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/g,
  /\b[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}\b/gi,
  /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)?(?:\s?(?:Z|UTC|GMT|[+-]\d\d:?\d\d)\b)?/g,
  new RegExp(
    `\\b(?:${DAY},?\\s+)?\\d{1,2}[ -]${MONTH}[ -]\\d{2,4}(?:\\s+\\d\\d:\\d\\d(?::\\d\\d)?(?:\\s+[a-z]{1,5})?)?\\b`,
    'gi',
  ),
  new RegExp(`\\b(?:${DAY},?\\s+)?${MONTH}\\s+\\d{1,2},?(?:\\s+\\d\\d:\\d\\d:\\d\\d)?\\s+\\d{4}\\b`, 'gi'),
  /\b(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5})?\b/g,
  /(?<![\w:])(?:[0-9a-f]{0,4}:){3,7}[0-9a-f]{0,4}(?![\w:])/gi,
  /\b\d{1,2}:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:\s?[ap]m\b)?/gi,
  /\b0x[0-9a-f]+\b/gi,
  // Words with digits that are ids: of hex digits, or long.
  /\b(?=[a-f]{0,64}\d)[0-9a-f]{6,}\b/gi,
  /\b(?=[a-z_-]{0,64}\d)[\w-]{12,}\b/gi,
];

/** The signature of a message; empty for an empty one. */
export function signatureOf(message: string): string {
  let text = message
    .slice(0, READ_CHARS)
    .replaceAll(/[\u0000-\u001f\u007f\ufffd\s]+/g, ' ')
    .replaceAll(/[^\s"'`]{160,}/g, '…');
  text = text.replaceAll(QUOTED, (whole, _mark, at: number) =>
    isName(whole) && NAMING.test(text.slice(Math.max(0, at - 24), at)) ? whole : '“…”',
  );
  for (const pattern of VARIABLE) text = text.replaceAll(pattern, '…');
  text = text.replaceAll(/\p{Nd}[\p{Nd}.,:/_]*/gu, (number: string, at: number) => numberOf(text, number, at));
  return text
    .replaceAll(/(“…”|…)(?:[\s,;|&]{0,4}(?:“…”|…)){1,4096}/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, SIGNATURE_CHARS)
    .toWellFormed();
}

/** Quotation marks of JSON, of code and of languages. An apostrophe within a word is none. */
const QUOTED =
  /(?<!\w)(")[^"]{0,500}"|(?<!\w)'[^']{0,500}'(?!\w)|`[^`]{0,500}`|“[^”]{0,500}”|„[^“”]{0,500}[“”]|«[^»]{0,500}»|「[^」]{0,500}」/g;

const isName = (quoted: string): boolean => /^.[A-Za-z_$][\w$.-]{0,40}.$/.test(quoted) && !/\d{3}/.test(quoted);

/** A number is variable, except for the status of a response. Punctuation after it stays. */
function numberOf(text: string, number: string, at: number): string {
  if (/^[45]\d\d$/.test(number.replace(/[.,:]+$/, '')) && STATUS.test(text.slice(Math.max(0, at - 24), at)))
    return number;
  const after = number.match(/[.,:/_]+$/)?.[0] ?? '';
  return `…${after}`;
}

/** What a body of a response says: a machine-readable code, and a message for people. */
export type Said = { code: string | null; message: string };

const CODES = ['code', 'error_code', 'errorCode', 'error', 'type', 'reason', 'status', 'name'];
const MESSAGES = [
  'message',
  'error_description',
  'error_message',
  'errorMessage',
  'detail',
  'details',
  'title',
  'msg',
  'error',
  'errors',
  'description',
];
const FIELDS = ['param', 'field', 'parameter', 'property', 'pointer', 'path', 'attribute'];
/** Codes that say no more than the status. */
const GENERIC =
  /^(?:error|errors|fail(?:ed|ure)?|false|bad[_ -]?request|invalid|invalid[_ -]?request(?:[_ -]?error)?|validation[_ -]?(?:error|failed)|unprocessable[_ -]?entity|internal(?:[_ -]?server)?[_ -]?error|server[_ -]?error|unknown(?:[_ -]?error)?|api[_ -]?error|exception|\d{1,6}|about:blank)$/i;

/** Reads the start of a body of any content type. */
export function readBody(body: string): Said {
  const text = body.slice(0, READ_CHARS).trim();
  if (text === '') return { code: null, message: '' };
  if (isBinary(text)) return { code: null, message: 'binary body' };
  if (/^[[{"]/.test(text)) return fromJson(text) ?? fromCutJson(text);
  if (/^<(?:!doctype|html|\?xml|[a-z])/i.test(text)) return { code: null, message: fromMarkup(text) };
  return { code: null, message: text };
}

/** Many characters that are not text: another encoding, or compressed. */
function isBinary(text: string): boolean {
  const start = text.slice(0, 512);
  const odd = start.match(/[\u0000-\u0008\u000e-\u001f\ufffd]/g)?.length ?? 0;
  return odd * 10 > start.length;
}

function fromJson(text: string): Said | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const root = objectIn(value);
  if (!root) return { code: null, message: typeof value === 'string' ? value : text };
  const inner = ['error', 'errors', 'fault', 'detail', 'details', 'data']
    .map((name) => objectIn(root[name]))
    .find((each) => each !== null);
  const places = inner ? [inner, root] : [root];
  const code = firstOf(places, CODES, codeOf);
  const field = firstOf(places, FIELDS, codeOf);
  const message = firstOf(places, MESSAGES, (each) => (typeof each === 'string' && each !== code ? each : null));
  return { code: joined(code, field), message: message ?? (code ? '' : text) };
}

/** The object itself, or the first of a list. */
function objectIn(value: unknown): Record<string, unknown> | null {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  return typeof one === 'object' && one !== null ? (one as Record<string, unknown>) : null;
}

function firstOf<T>(places: Record<string, unknown>[], names: string[], read: (value: unknown) => T | null): T | null {
  for (const place of places)
    for (const name of names) {
      const value = read(place[name]);
      if (value !== null) return value;
    }
  return null;
}

/** A word for programs, such as `card_declined`; not a sentence, an id or a generic word. */
function codeOf(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^[A-Za-z0-9][\w.:/-]{1,63}$/.test(text)) return null;
  if (GENERIC.test(text)) return null;
  const signature = signatureOf(text);
  return signature === '…' ? null : signature;
}

const joined = (code: string | null, field: string | null) => (code && field ? `${code} (${field})` : (code ?? field));

/** JSON that was cut: the first string of a known member. */
function fromCutJson(text: string): Said {
  const member = (names: string[]) =>
    new RegExp(`"(?:${names.join('|')})"\\s{0,9}:\\s{0,9}"([^"\\\\]{1,300})`).exec(text)?.[1];
  const code = codeOf(member(CODES) ?? null);
  return { code, message: member(MESSAGES) ?? (code ? '' : text) };
}

/** The title or first heading of a page, or its text. */
function fromMarkup(text: string): string {
  const heading = /<(title|h1|message|faultstring)\b[^>]{0,200}>([^<]{1,300})/i.exec(text)?.[2]?.trim();
  return heading || text.replaceAll(/<(script|style)\b[^>]{0,200}>[^<]*/gi, ' ').replaceAll(/<[^>]{0,500}>/g, ' ');
}
