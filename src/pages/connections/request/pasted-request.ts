/** A request from pasted text: the app's native URL, the gateway's URL of it, or a curl command. */
import { type Pair, queryRows } from './query-rows.ts';
import { shellWords } from './shell-words.ts';
import { type BodyPart, type TypedRequest, type TypedRest, whyNotSent } from './typed-request.ts';

export interface Addresses {
  /** Of the app; null if it has none, with placeholders if it differs by connection. */
  readonly appUrl: string | null;
  /** Of the API, under which the gateway has the paths of apps. */
  readonly apiUrl: string;
  readonly app: string;
  readonly gatewayDomain: string;
}
export interface PastedRequest {
  readonly change: Partial<TypedRequest>;
  /** What is not in the form, in words. */
  readonly leftOut: readonly string[];
}

const PASTE_MAX_CHARS = 1_000_000;
/** Options of curl with a value that do not change the request. */
const WITH_VALUE =
  /^(?:-[omwxEKcDCrtyYzQPU]|--(?:output|max-time|connect-timeout|write-out|proxy|cert|key|cacert|capath|retry|retry-delay|retry-max-time|config|cookie-jar|dump-header|limit-rate|resolve|connect-to|interface|max-redirs|ciphers|proto|noproxy|tls-max|range))$/;

/** Undefined if the text is neither a URL nor a curl command: then it is a path. */
export function readPasted(text: string, addresses: Addresses): PastedRequest | undefined {
  const trimmed = text.trim();
  if (trimmed.length > PASTE_MAX_CHARS) return undefined;
  if (/^https?:\/\/\S+$/i.test(trimmed)) return fromUrl(trimmed, addresses);
  if (!/^(?:\$\s+)?curl(?:\.exe)?\s/.test(trimmed)) return undefined;
  const words = shellWords(trimmed.replace(/^\$\s+/, ''));
  return words && fromCurl(words.slice(1), addresses);
}

function fromUrl(text: string, addresses: Addresses): PastedRequest | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const { path, isOther } = nativePath(url, text, addresses);
  return { change: { path }, leftOut: isOther ? [`the host ${url.host}, which is not the app’s`] : [] };
}

/** The path as it is written: `URL` would resolve dots in it. */
function nativePath(url: URL, text: string, { appUrl, apiUrl, app, gatewayDomain }: Addresses) {
  const written = /^[a-z]+:\/\/[^/?#]*([^#]*)/i.exec(text)?.[1] ?? '';
  const path = written.startsWith('/') ? written : `/${written}`;
  const within = (base: string) => {
    const prefix = base.replace(/\/$/, '');
    return path === prefix || path.startsWith(`${prefix}/`) || path.startsWith(`${prefix}?`)
      ? `/${path.slice(prefix.length).replace(/^\//, '')}`
      : undefined;
  };
  const api = new URL(apiUrl);
  if (url.host === api.host) {
    const native = within(`${api.pathname.replace(/\/$/, '')}/${app}`);
    if (native !== undefined) return { path: native, isOther: false };
  }
  if (url.host.endsWith(`.${gatewayDomain}`)) return { path, isOther: false };
  const [, appHost = '', appPath = ''] = /^https?:\/\/([^/]*)(.*)$/i.exec(appUrl ?? '') ?? [];
  const pattern = new RegExp(`^${appHost.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}$`, 'i');
  const isApp = appHost !== '' && pattern.test(url.host);
  return { path: isApp && !appPath.includes('{') ? (within(appPath) ?? path) : path, isOther: !isApp };
}

type Curl = {
  url: string | undefined;
  method: string | undefined;
  headers: Pair[];
  data: string[];
  parts: BodyPart[];
  json: boolean;
  get: boolean;
  head: boolean;
  leftOut: string[];
};

function fromCurl(words: readonly string[], addresses: Addresses): PastedRequest | undefined {
  const curl = readOptions(words);
  const given = curl.url === undefined || /^[a-z]+:\/\//i.test(curl.url) ? curl.url : `https://${curl.url}`;
  const from = given === undefined ? undefined : fromUrl(given, addresses);
  if (!from) return undefined;
  const body = curl.data.join(curl.json ? '' : '&');
  const { path = '/' } = from.change;
  const asQuery = curl.get && body !== '';
  const hasBody = curl.parts.length > 0 || (body !== '' && !curl.get);
  const method = curl.method ?? (curl.head ? 'HEAD' : hasBody ? 'POST' : 'GET');
  const kept = curl.headers.filter(({ name }) => whyNotSent(name) === undefined);
  const dropped = curl.headers.filter(({ name }) => whyNotSent(name) !== undefined).map(({ name }) => name);
  return {
    change: {
      method: method.toUpperCase(),
      path: asQuery ? `${path}${path.includes('?') ? '&' : '?'}${body}` : path,
      ...(curl.parts.length > 0 ? partsOf(kept, curl.parts) : restOf(kept, asQuery ? '' : body, curl.json)),
    },
    leftOut: [...from.leftOut, ...dropped.map((name) => `the header ${name}`), ...curl.leftOut],
  };
}

function restOf(headers: readonly Pair[], body: string, isJson: boolean): TypedRest {
  const type = headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value.toLowerCase();
  if (body === '') return { headers, kind: 'none', text: '', form: [] };
  // The form adds these content types.
  const others = headers.filter(
    ({ name, value }) =>
      name.toLowerCase() !== 'content-type' ||
      !/^application\/(?:json|x-www-form-urlencoded)$/.test(value.trim().toLowerCase()),
  );
  if (isJson || type?.includes('json')) return { headers: others, kind: 'json', text: body, form: [] };
  const isForm = type === undefined ? !/^\s*[{[<]/.test(body) : type.includes('x-www-form-urlencoded');
  if (isForm) return { headers: others, kind: 'form', text: '', form: queryRows(`?${body}`) };
  if (type === undefined && /^\s*[{[]/.test(body)) return { headers, kind: 'json', text: body, form: [] };
  return { headers, kind: 'text', text: body, form: [] };
}

/** curl adds the content type with its boundary, and so does the form. */
const partsOf = (headers: readonly Pair[], parts: readonly BodyPart[]): TypedRest => ({
  headers: headers.filter(({ name }) => name.toLowerCase() !== 'content-type'),
  kind: 'multipart',
  text: '',
  form: [],
  parts,
});

function readOptions(words: readonly string[]): Curl {
  const curl: Curl = {
    url: undefined,
    method: undefined,
    headers: [],
    data: [],
    parts: [],
    json: false,
    get: false,
    head: false,
    leftOut: [],
  };
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (!word.startsWith('-') || word === '-') {
      curl.url ??= word;
      continue;
    }
    // `--data=x` and `-XPOST`; `-sSL` is `-s -S -L`.
    const [, long, equal] = /^(--[\w-]+)=([\s\S]*)$/.exec(word) ?? [];
    const short = /^-[A-Za-z#]/.test(word) ? word.slice(0, 2) : undefined;
    const option = long ?? short ?? word;
    const attached = equal ?? (short !== undefined && word.length > 2 ? word.slice(2) : undefined);
    const value = () => attached ?? rest.shift() ?? '';
    if (!takeOption(curl, option, value) && short !== undefined && attached !== undefined) rest.unshift(`-${attached}`);
  }
  return curl;
}

/** False for an option without a value. */
function takeOption(curl: Curl, option: string, value: () => string): boolean {
  if (/^(?:-X|--request)$/.test(option)) curl.method = value();
  else if (/^(?:-H|--header)$/.test(option)) addHeader(curl, value());
  else if (/^(?:-A|--user-agent)$/.test(option)) addHeader(curl, `User-Agent: ${value()}`);
  else if (/^(?:-e|--referer)$/.test(option)) addHeader(curl, `Referer: ${value()}`);
  else if (/^(?:-b|--cookie)$/.test(option)) addHeader(curl, `Cookie: ${value()}`);
  else if (/^(?:-d|--data|--data-ascii|--data-binary)$/.test(option)) addData(curl, value(), true);
  else if (option === '--data-raw') addData(curl, value(), false);
  else if (option === '--data-urlencode') curl.data.push(urlEncoded(value()));
  else if (option === '--json') {
    curl.json = true;
    addData(curl, value(), true);
  } else if (option === '--url') curl.url ??= value();
  else if (/^(?:-u|--user|--oauth2-bearer)$/.test(option)) {
    value();
    curl.leftOut.push('the credentials: those of the connection are sent');
  } else if (/^(?:-F|--form|--form-string)$/.test(option)) addPart(curl, value(), option !== '--form-string');
  else if (/^(?:-T|--upload-file)$/.test(option)) curl.leftOut.push(`the file ${value()}`);
  else if (WITH_VALUE.test(option)) value();
  else {
    if (/^(?:-G|--get)$/.test(option)) curl.get = true;
    if (/^(?:-I|--head)$/.test(option)) curl.head = true;
    return false;
  }
  return true;
}

function addHeader(curl: Curl, text: string): void {
  const colon = text.indexOf(':');
  if (colon > 0) curl.headers.push({ name: text.slice(0, colon).trim(), value: text.slice(colon + 1).trim() });
}

/** `name=text`, or unless it is a plain text `name=@file` and `name=<file`, which a page cannot read. */
function addPart(curl: Curl, text: string, mayBeFile: boolean): void {
  const equal = text.indexOf('=');
  if (equal < 0) return;
  const name = text.slice(0, equal);
  const value = text.slice(equal + 1);
  const [, file] = mayBeFile ? (/^[@<]"?([^";,]+)/.exec(value) ?? []) : [];
  if (file !== undefined) curl.leftOut.push(`the file ${file} of the part ${name}`);
  curl.parts.push({ name, value: file !== undefined ? '' : mayBeFile ? value.replace(/;type=[^;]*$/, '') : value });
}

function addData(curl: Curl, text: string, isFile: boolean): void {
  if (isFile && text.startsWith('@')) curl.leftOut.push(`the body: it is in the file ${text.slice(1)}`);
  else curl.data.push(text);
}

/** `name=text`, `=text` or `text`; `name@file` is not read. */
function urlEncoded(text: string): string {
  const equal = text.indexOf('=');
  const name = equal < 0 ? '' : text.slice(0, equal);
  return (name === '' ? '' : `${name}=`) + encodeURIComponent(text.slice(equal + 1));
}
