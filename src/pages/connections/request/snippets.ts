/** The request as code that calls the gateway with a key in API_KEY. */
import { shellQuoted } from '../../../api/curl.ts';
import { type JsonNode, parseJson } from '../../../ui/code/json-nodes.ts';

export interface SnippetCall {
  /** The account's `addresses.base_url`. */
  readonly baseUrl: string;
  readonly app: string;
  /** Absent: the app's default connection is used. */
  readonly connectionId?: string | undefined;
  readonly method: string;
  /** Native path and query, encoded. */
  readonly path: string;
  readonly headers?: readonly (readonly [name: string, value: string])[] | undefined;
  readonly body?: string | null | undefined;
  /** A body of several parts; then there is no `body`. */
  readonly parts?: readonly SnippetPart[] | undefined;
  /** The name of a file that is the body. */
  readonly fileName?: string | undefined;
}
export interface SnippetPart {
  readonly name: string;
  readonly value: string;
  /** Set for a part that is a file. */
  readonly fileName?: string | undefined;
  readonly type?: string | undefined;
}

export const SNIPPET_LANGUAGES = ['curl', 'fetch', 'python'] as const;
export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number];

const WRITERS: Record<SnippetLanguage, (call: SnippetCall) => string> = {
  curl: curlSnippet,
  fetch: fetchSnippet,
  python: pythonSnippet,
};

export function snippetOf(language: SnippetLanguage, call: SnippetCall): string {
  return WRITERS[language](call);
}

const urlOf = ({ baseUrl, app, path }: SnippetCall): string => `${baseUrl}/${app}${path}`;

/** Without the API key, which each language inserts differently. */
const headersOf = ({ connectionId, headers = [] }: SnippetCall): readonly (readonly [string, string])[] => [
  ...(connectionId === undefined ? [] : [['Service-Connection', connectionId] as const]),
  ...headers,
];

const isNamed = (headers: SnippetCall['headers'], wanted: string): boolean =>
  headers?.some(([name]) => name.toLowerCase() === wanted) ?? false;

/** Whether the response is a stream, which curl is to print as it comes. */
const isStreamed = ({ headers, body }: SnippetCall): boolean =>
  (headers?.some(([name, value]) => name.toLowerCase() === 'accept' && value.includes('text/event-stream')) ?? false) ||
  /"stream"\s*:\s*true/.test(body ?? '');

/** A command for a POSIX shell. */
export function curlSnippet(call: SnippetCall): string {
  const { method, path, headers, body, parts, fileName } = call;
  const hasBody = (body !== null && body !== undefined) || fileName !== undefined;
  const usual = hasBody || parts ? 'POST' : 'GET';
  const flags = [
    ...(isStreamed(call) ? ['-N'] : []),
    ...(method === 'HEAD' ? ['--head'] : method === usual ? [] : [`-X ${method}`]),
    // curl would expand [1-3] and {a,b}, and resolve /../
    ...(/[[\]{}]/.test(path) ? ['--globoff'] : []),
    ...(/\/\.\.?(?:[/?]|$)/.test(path) ? ['--path-as-is'] : []),
  ];
  return [
    ['curl', ...flags, shellQuoted(urlOf(call))].join(' '),
    `-H "Authorization: Bearer $API_KEY"`,
    // an empty value is written with a semicolon
    ...headersOf(call).map(([name, value]) => `-H ${shellQuoted(value === '' ? `${name};` : `${name}: ${value}`)}`),
    // curl adds a content type otherwise
    ...(hasBody && !isNamed(headers, 'content-type') ? [`-H 'Content-Type:'`] : []),
    ...(fileName !== undefined ? [`--data-binary ${shellQuoted(`@${fileName}`)}`] : []),
    ...(typeof body === 'string' ? [`--data-raw ${shellQuoted(body)}`] : []),
    ...(parts ?? []).map(curlPart),
  ].join(' \\\n  ');
}

function curlPart({ name, value, fileName, type }: SnippetPart): string {
  if (fileName === undefined) return `--form-string ${shellQuoted(`${name}=${value}`)}`;
  // quoted, because a comma or a semicolon would end the name
  const file = `"${fileName.replace(/["\\]/g, '\\$&')}"`;
  return `-F ${shellQuoted(`${name}=@${file}${type ? `;type=${type}` : ''}`)}`;
}

/** A JavaScript module, for Node 18 or later; without files for browsers too. */
export function fetchSnippet(call: SnippetCall): string {
  const url = JSON.stringify(urlOf(call));
  const content = (name: string) => `await readFile(${JSON.stringify(name)})`;
  const readsFiles = call.fileName !== undefined || call.parts?.some(({ fileName }) => fileName !== undefined);
  return [
    ...(readsFiles ? [`import { readFile } from 'node:fs/promises';`, ''] : []),
    ...formLines(call, content),
    `const response = await ${fetchCall(call, url, 'process.env.API_KEY', content)}`,
    'console.log(response.status, await response.text());',
  ].join('\n');
}

/** Builds the form of several parts. `content` is the expression for the content of a file. */
function formLines({ parts }: SnippetCall, content: (fileName: string) => string): string[] {
  if (!parts) return [];
  const lines = parts.map(({ name, value, fileName, type }) => {
    if (fileName === undefined) return `form.append(${JSON.stringify(name)}, ${JSON.stringify(value)});`;
    const blob = `new Blob([${content(fileName)}]${type ? `, { type: ${JSON.stringify(type)} }` : ''})`;
    return `form.append(${JSON.stringify(name)}, ${blob}, ${JSON.stringify(fileName)});`;
  });
  return ['const form = new FormData();', ...lines];
}

/**
 * A function that sends the request with the token of its run, and passes the response on. Files are not part of it:
 * in their place is a text to replace.
 */
export function functionSnippet(call: SnippetCall): string {
  const content = (name: string) => JSON.stringify(`the content of ${name}`);
  const url = `process.env.GATEWAY_URL + ${JSON.stringify(`/${call.app}${call.path}`)}`;
  return `// Calls ${call.method} ${call.path.replace(/\?.*/s, '')} of the app ${call.app}.
export default {
  async fetch(): Promise<Response> {
    ${[...formLines(call, content), `const response = await ${indented(fetchCall(call, url, 'process.env.GATEWAY_TOKEN', content), '    ')}`].join('\n    ')}
    const type = response.headers.get('content-type');
    return new Response(response.body, { status: response.status, headers: type === null ? {} : { 'content-type': type } });
  },
};
`;
}

/** `url`, `key` and the contents of files are expressions. */
function fetchCall(call: SnippetCall, url: string, key: string, content: (fileName: string) => string): string {
  const { method, body, parts, fileName } = call;
  const headers = headersOf(call);
  const pair = ([name, value]: readonly [string, string]) => [JSON.stringify(name), JSON.stringify(value)] as const;
  const bearer = ['"Authorization"', `\`Bearer \${${key}}\``] as const;
  const all = [bearer, ...headers.map(pair)];
  const doubled = new Set(headers.map(([name]) => name.toLowerCase())).size < headers.length;
  const json = typeof body === 'string' ? plainJson(body) : undefined;
  return [
    `fetch(${url}, {`,
    ...(method === 'GET' ? [] : [`  method: ${JSON.stringify(method)},`]),
    ...(doubled
      ? ['  headers: [', ...all.map(([name, value]) => `    [${name}, ${value}],`), '  ],']
      : ['  headers: {', ...all.map(([name, value]) => `    ${bareKey(name)}: ${value},`), '  },']),
    ...(json
      ? [`  body: JSON.stringify(${indented(written(json, JS), '  ')}),`]
      : typeof body === 'string'
        ? [`  body: ${JSON.stringify(body)},`]
        : parts
          ? ['  body: form,']
          : fileName !== undefined
            ? [`  body: ${content(fileName)},`]
            : []),
    '});',
  ].join('\n');
}

/** A Python 3 program with the requests library. */
export function pythonSnippet(call: SnippetCall): string {
  const { method, headers: typed, body, parts, fileName } = call;
  // requests accepts a name once; repeated headers are joined, as HTTP reads them
  const headers = new Map<string, [name: string, value: string]>();
  for (const [name, value] of headersOf(call)) {
    const before = headers.get(name.toLowerCase());
    headers.set(name.toLowerCase(), before ? [before[0], `${before[1]}, ${value}`] : [name, value]);
  }
  const json = typeof body === 'string' ? plainJson(body) : undefined;
  return [
    'import os',
    '',
    'import requests',
    '',
    'response = requests.request(',
    `    ${pythonText(method)},`,
    `    ${pythonText(urlOf(call))},`,
    '    headers={',
    `        "Authorization": f"Bearer {os.environ['API_KEY']}",`,
    ...[...headers.values()].map(([name, value]) => `        ${pythonText(name)}: ${pythonText(value)},`),
    '    },',
    ...(json && isNamed(typed, 'content-type')
      ? [`    json=${indented(written(json, PYTHON), '    ', 2)},`]
      : typeof body === 'string'
        ? [`    data=${pythonText(body)}.encode(),`]
        : parts
          ? ['    files=[', ...parts.map((part) => `        ${pythonPart(part)},`), '    ],']
          : fileName !== undefined
            ? [`    data=open(${pythonText(fileName)}, "rb"),`]
            : []),
    ')',
    'print(response.status_code, response.text)',
  ].join('\n');
}

/** A part as `requests` takes it: without a file name it is a text. */
function pythonPart({ name, value, fileName, type }: SnippetPart): string {
  if (fileName === undefined) return `(${pythonText(name)}, (None, ${pythonText(value)}))`;
  const file = pythonText(fileName);
  return `(${pythonText(name)}, (${file}, open(${file}, "rb")${type ? `, ${pythonText(type)}` : ''}))`;
}

/** JSON that the language can represent and serialize without loss; other JSON stays text. */
function plainJson(text: string): JsonNode | undefined {
  const node = parseJson(text);
  if (!node || node.kind === 'literal' || node.kind === 'string') return undefined;
  return isPlain(node) ? node : undefined;
}

function isPlain(node: JsonNode): boolean {
  if (node.kind === 'object') {
    const keys = new Set(node.members.map(({ key }) => key));
    return keys.size === node.members.length && !keys.has('__proto__') && node.members.every((m) => isPlain(m.value));
  }
  if (node.kind === 'array') return node.items.every(isPlain);
  return node.kind === 'string' || JSON.stringify(JSON.parse(node.text)) === node.text;
}

interface Manner {
  readonly text: (value: string) => string;
  readonly key: (key: string) => string;
  readonly literal: (text: string) => string;
}
const JS: Manner = { text: JSON.stringify, key: (key) => bareKey(JSON.stringify(key)), literal: (text) => text };
const PYTHON: Manner = {
  text: pythonText,
  key: pythonText,
  literal: (text) => ({ true: 'True', false: 'False', null: 'None' })[text] ?? text,
};

function written(node: JsonNode, manner: Manner): string {
  if (node.kind === 'literal') return manner.literal(node.text);
  if (node.kind === 'string') return manner.text(node.value);
  const [open, close] = node.kind === 'object' ? ['{', '}'] : ['[', ']'];
  const lines =
    node.kind === 'object'
      ? node.members.map(({ key, value }) => `${manner.key(key)}: ${written(value, manner)}`)
      : node.items.map((item) => written(item, manner));
  return lines.length === 0
    ? open + close
    : `${open}\n${lines.map((line) => `  ${indented(line, '  ')},`).join('\n')}\n${close}`;
}

/** Indents the lines after the first, and multiplies their own indentation by `times`. */
const indented = (text: string, by: string, times = 1): string =>
  text.replace(/\n( *)/g, (_, spaces: string) => `\n${by}${spaces.repeat(times)}`);

/** `"name"` → `name`, where JavaScript needs no quotes. */
const bareKey = (quoted: string): string => (/^"[A-Za-z_$][\w$]*"$/.test(quoted) ? quoted.slice(1, -1) : quoted);

/** Python reads JSON's escapes, but would read the halves of a surrogate pair as two characters. */
function pythonText(value: string): string {
  return JSON.stringify(value.toWellFormed());
}
