/** Code samples of a request, for four clients. They read the key from the environment. */
import { shellQuoted } from '../../api/curl.ts';
import { preference } from '../../stores/preference.ts';

export type SampleRequest = {
  readonly operationId: string;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly needsKey: boolean;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
};

export const LANGUAGES = [
  { value: 'curl', label: 'curl' },
  { value: 'fetch', label: 'fetch' },
  { value: 'python', label: 'Python' },
  { value: 'client', label: 'Client' },
] as const;
export type Language = (typeof LANGUAGES)[number]['value'];

/** The language of the samples, which the browser remembers. */
export const languagePreference = preference<Language>(
  'sample-language',
  LANGUAGES.map(({ value }) => value),
  'curl',
);

const indented = (value: unknown, by: string) => JSON.stringify(value, null, 2).replaceAll('\n', `\n${by}`);

function curl({ method, path, needsKey, body }: SampleRequest, baseUrl: string): string {
  const lines = [`curl${method === 'GET' ? '' : ` -X ${method}`} ${shellQuoted(baseUrl + path)}`];
  if (needsKey) lines.push('-H "Authorization: Bearer $API_KEY"');
  if (body !== undefined)
    lines.push(`-H 'Content-Type: application/json'`, `--data-raw ${shellQuoted(JSON.stringify(body, null, 2))}`);
  return lines.join(' \\\n  ');
}

function fetchSample({ method, path, needsKey, body }: SampleRequest, baseUrl: string): string {
  const headers = [
    ...(needsKey ? ["    authorization: 'Bearer ' + process.env.API_KEY,"] : []),
    ...(body === undefined ? [] : [`    'content-type': 'application/json',`]),
  ];
  return [
    `const response = await fetch('${baseUrl}${path}', {`,
    `  method: '${method}',`,
    ...(headers.length > 0 ? ['  headers: {', ...headers, '  },'] : []),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indented(body, '  ')}),`]),
    '});',
    'if (!response.ok) throw new Error((await response.json()).message);',
    'console.log(await response.json());',
  ].join('\n');
}

/** JSON as a Python literal. */
function pythonValue(value: unknown, by: string): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${by}    `;
  const parts = Array.isArray(value)
    ? value.map((each) => `${inner}${pythonValue(each, inner)},`)
    : Object.entries(value).map(([key, each]) => `${inner}${JSON.stringify(key)}: ${pythonValue(each, inner)},`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return parts.length === 0 ? `${open}${close}` : `${open}\n${parts.join('\n')}\n${by}${close}`;
}

function python({ method, path, needsKey, body }: SampleRequest, baseUrl: string): string {
  return [
    'import os',
    'import requests',
    '',
    'response = requests.request(',
    `    "${method}",`,
    `    "${baseUrl}${path}",`,
    ...(needsKey ? ['    headers={"Authorization": f"Bearer {os.environ[\'API_KEY\']}"},'] : []),
    ...(body === undefined ? [] : [`    json=${pythonValue(body, '    ')},`]),
    ')',
    'response.raise_for_status()',
    'print(response.json())',
  ].join('\n');
}

function client({ operationId, params, query, body }: SampleRequest, baseUrl: string): string {
  const input = {
    ...(Object.keys(params).length > 0 ? { params } : {}),
    ...(Object.keys(query).length > 0 ? { query } : {}),
    ...(body === undefined ? {} : { body }),
  };
  const given = Object.keys(input).length > 0 ? `, ${JSON.stringify(input, null, 2)}` : '';
  return [
    "import { createClient } from '@sluice/client';",
    '',
    `const sluice = createClient({ baseUrl: '${baseUrl}', apiKey: process.env.API_KEY });`,
    `console.log(await sluice.call('${operationId}'${given}));`,
  ].join('\n');
}

const WRITERS: Record<Language, (request: SampleRequest, baseUrl: string) => string> = {
  curl,
  fetch: fetchSample,
  python,
  client,
};

/** The sample of a request in a language. */
export const sampleOf = (language: Language, request: SampleRequest, baseUrl: string): string =>
  WRITERS[language](request, baseUrl);
