import { type ChildProcess, spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { treeOf } from '../reach/tree.ts';
import type { CodeSymbol } from './facts.ts';
import { symbolsOf } from './javascript-symbols.ts';

const read = (text: string, path = 'index.ts'): CodeSymbol[] => {
  const symbols: CodeSymbol[] = [];
  const tree = treeOf(path, text);
  if (typeof tree === 'string') throw new Error(tree);
  symbolsOf(path, tree, (symbol) => symbols.push(symbol));
  return symbols;
};
const listed = (text: string, path?: string) =>
  read(text, path).map(({ kind, container, name, exported }) =>
    [exported ? 'export' : '', kind, container ? `${container}.${name}` : name].filter(Boolean).join(' '),
  );

describe('definitions', () => {
  it.each([
    ['export function a() {}\nfunction b() {}\nexport { b }', ['export function a', 'export function b']],
    ['export const a = async () => {}, b = 1', ['export function a', 'export variable b']],
    [
      'class A { b = 1; c() {} #d = () => {}; constructor(private e: string) {} }',
      ['class A', 'property A.b', 'method A.c', 'method A.#d', 'property A.e'],
    ],
    [
      'function a() { const b = 1; const c = () => {}; function d() {} }',
      ['function a', 'function a.c', 'function a.d'],
    ],
    ['interface A { b: { c: string }; d(): void }', ['interface A', 'property A.b', 'method A.d']],
    ['type A = { b: 1 }; enum C { D }', ['type A', 'enum C', 'member C.D']],
    ['namespace A.B { export const c = 1 }', ['namespace A.B', 'export variable A.B.c']],
    ['export default { fetch(request) {}, scheduled: async () => {} }', ['method fetch', 'method scheduled']],
    ['const { a, b: [c = 1], ...d } = e', ['variable a', 'variable c', 'variable d']],
    ['export default function () {}', []],
  ])('%s', (text, symbols) => expect(listed(text)).toEqual(symbols));

  it.each([
    ['exports.a = function () {}; module.exports.b = () => {}', ['export function a', 'export function b']],
    ['function a() {}\nmodule.exports = { a }', ['export function a']],
    ['function A() {}\nA.prototype.b = function () {}', ['function A', 'method b']],
  ])('of CommonJS: %s', (text, symbols) =>
    expect(listed(text, 'index.js').map((each) => each.replace('export method', 'method'))).toEqual(symbols),
  );

  it('have the lines of their text', () => {
    expect(read('\nclass A {\n  b() {\n  }\n}')).toMatchObject([
      { name: 'A', line: 2, end_line: 5 },
      { name: 'b', line: 3, end_line: 4 },
    ]);
  });

  it('are found in broken code', () => {
    expect(listed('function a() { const a = 1; const a = 2; }\nlet b; let b;\nreturn 1')).toEqual([
      'function a',
      'variable b',
      'variable b',
    ]);
  });
});

/** Each of TypeScript's kinds of symbols that an outline here has, with ours. */
const KINDS: Readonly<Record<number, readonly string[]>> = {
  3: ['namespace'],
  5: ['class', 'type'],
  6: ['method'],
  7: ['property', 'method'],
  10: ['enum'],
  11: ['interface'],
  12: ['function', 'method'],
  13: ['variable', 'function', 'class'],
  22: ['member'],
};
const [NAMESPACE, CLASS, PROPERTY, CONSTRUCTOR, INTERFACE, FUNCTION, VARIABLE] = [3, 5, 7, 9, 11, 12, 13];
type ServerSymbol = {
  name: string;
  kind: number;
  selectionRange: { start: { line: number } };
  children?: ServerSymbol[];
};

describe('the language server of TypeScript finds the same', () => {
  const server = startServer();
  beforeAll(server.begin);
  afterAll(server.end);
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const corpus = globSync(
    [
      'contract/*.ts',
      'src/pages/functions/search/*.tsx',
      'node_modules/{zod/src/v4/core,hono/dist,jose/dist/webapi/util}/*.{js,ts}',
    ],
    { cwd: root },
  )
    .filter((path) => !path.endsWith('.d.ts'))
    .map((path) => ({ path, text: readFileSync(`${root}/${path}`, 'utf8') }));

  it('in its corpus', async () => {
    // One after the other, and without a pause, in which the server would check the types of all open files.
    const theirs: Theirs[][] = [];
    for (const { path, text } of corpus) theirs.push(flat(await server.symbolsOf(path, text)));
    const differences = corpus.flatMap(({ path, text }, at) => differencesOf(path, text, theirs[at] ?? []));
    expect(theirs.flat().length).toBeGreaterThan(3_000);
    expect(differences).toEqual([]);
  });
});

type Theirs = { name: string; line: number; kind: number; isMember: boolean; isLocal: boolean };

function flat(symbols: ServerSymbol[], above: number[] = []): Theirs[] {
  return symbols.flatMap(({ name, kind, selectionRange, children = [] }) => {
    const isMember = above.at(-1) === CLASS || above.at(-1) === INTERFACE;
    const isLocal = above.some((each) => ![CLASS, INTERFACE, NAMESPACE].includes(each));
    const line = selectionRange.start.line + 1;
    const one = { name: name.replace(/^["'](.*)["']$/, '$1'), line, kind, isMember, isLocal };
    return [one, ...flat(children, [...above, kind])];
  });
}

function importedNames(text: string): Set<string> {
  const lists = text.matchAll(
    /^(?:import\s+(?:type\s+)?([^'"]*?)\s+from\b|export\s+(?:type\s+)?(\{[^}]*\}|\*\s+as\s+\w+))/gm,
  );
  return new Set([...lists].flatMap(([, names = '', exported = '']) => `${names} ${exported}`.match(/[\w$]+/g) ?? []));
}

/** Ours are all among theirs; theirs are among ours but for those that an outline here leaves out. */
function differencesOf(path: string, text: string, theirs: Theirs[]): string[] {
  const ours = read(text, path);
  const imported = importedNames(text);
  const known = new Set(theirs.map(({ name, line }) => `${line} ${name}`));
  const lines = text.split('\n');
  const startsAs = (line: number, start: RegExp) => start.test(lines[line - 1] ?? '');
  // Their list has no accessors of objects.
  const more = ours.filter(({ name, line }) => !known.has(`${line} ${name}`) && !startsAs(line, /^\s*[gs]et /));
  const less = theirs.filter(({ name, line, kind, isMember, isLocal }) => {
    const here = ours.filter((each) => each.line === line && each.name === name);
    if (here.some((each) => KINDS[kind]?.includes(each.kind))) return false;
    // Local variables, and imports and exports of names from elsewhere, are not definitions here.
    if (kind === VARIABLE) return !isLocal && !imported.has(name);
    if (kind === PROPERTY && !isMember) return false;
    // An assignment to a variable defines none.
    if (kind === FUNCTION && startsAs(line, new RegExp(`(^|\\s)${name} = `))) return false;
    return kind !== CONSTRUCTOR && !/callback$|^[<([]|^new\(|^default$|^export=$|^constructor$|^global$/.test(name);
  });
  return [
    ...more.map(({ name, line, kind }) => `${path}:${line} only here: ${kind} ${name}`),
    ...less.map(({ name, line, kind }) => `${path}:${line} only there: ${kind} ${name}`),
  ];
}

function startServer() {
  let child: ChildProcess;
  let data = Buffer.alloc(0);
  let last = 0;
  const waiting = new Map<number, (result: unknown) => void>();
  const send = (message: object) => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    child.stdin?.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  const ask = (method: string, params: object) =>
    new Promise<unknown>((resolve) => {
      last += 1;
      waiting.set(last, resolve);
      send({ id: last, method, params });
    });
  const receive = (message: { id?: number; method?: string; result?: unknown }) => {
    if (message.id === undefined) return;
    if (message.method) return send({ id: message.id, result: null });
    waiting.get(message.id)?.(message.result);
    waiting.delete(message.id);
  };
  const take = (chunk: Buffer) => {
    data = Buffer.concat([data, chunk]);
    for (let head = data.indexOf('\r\n\r\n'); head >= 0; head = data.indexOf('\r\n\r\n')) {
      const length = Number(/Content-Length: (\d+)/.exec(data.subarray(0, head).toString())?.[1]);
      if (data.length < head + 4 + length) return;
      receive(JSON.parse(data.subarray(head + 4, head + 4 + length).toString()));
      data = data.subarray(head + 4 + length);
    }
  };
  return {
    async begin() {
      const program = `../@typescript/typescript-${process.platform}-${process.arch}/lib/tsc`;
      const path = fileURLToPath(new URL(program, import.meta.resolve('typescript/package.json')));
      child = spawn(path, ['--lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
      child.stdout?.on('data', take);
      const documentSymbol = { hierarchicalDocumentSymbolSupport: true };
      await ask('initialize', { processId: null, rootUri: null, capabilities: { textDocument: { documentSymbol } } });
      send({ method: 'initialized', params: {} });
    },
    async symbolsOf(path: string, text: string): Promise<ServerSymbol[]> {
      const uri = `file:///corpus/${encodeURI(path)}`;
      const languageId = /x$/.test(path) ? 'typescriptreact' : /ts$/.test(path) ? 'typescript' : 'javascript';
      send({ method: 'textDocument/didOpen', params: { textDocument: { uri, languageId, version: 1, text } } });
      const symbols = await ask('textDocument/documentSymbol', { textDocument: { uri } });
      send({ method: 'textDocument/didClose', params: { textDocument: { uri } } });
      return symbols as ServerSymbol[];
    },
    end: () => void child.kill(),
  };
}
