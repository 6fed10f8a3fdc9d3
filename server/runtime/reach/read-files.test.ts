import { describe, expect, it } from 'vitest';
import { readFiles } from './read-files.ts';

const names = (files: Record<string, string>) => {
  const { env, hosts, apps, packages, unknown } = readFiles(files);
  const all = (list: { name: string }[]) => list.map(({ name }) => name);
  return { env: all(env), hosts: all(hosts), apps: all(apps), packages: all(packages), unknown };
};
const of = (code: string, path = 'index.ts') => names({ [path]: code });

describe('the environment', () => {
  it.each([
    ['process.env.A; process.env["B"]; process?.env?.C', ['A', 'B', 'C']],
    ['const { A, B: b = "x", ["C"]: c } = process.env', ['A', 'B']],
    ['Deno.env.get("A"); const k = "B"; Deno.env.get(k); Deno.env.has("C")', ['A', 'B', 'C']],
    ['export default { fetch(request: Request, env: Env) { return env.A! as string } }', ['A']],
    ['export default { fetch: async (_: Request, vars) => new Response(vars.A) }', ['A']],
    ['export default { async fetch(request, { A, B }) {} }', ['A', 'B']],
    ['import { env } from "node:process"; env.A', ['A']],
    ['const app = new Hono(); app.get("/", (c) => c.env.A)', ['A']],
    ['class T { constructor(env) { this.env = env } go() { return this.env.A } }', ['A']],
    ['const env = { X: 1 }; env.X; process.env.A', ['A']],
    ['process.env.GATEWAY_URL; process.env.GATEWAY_TOKEN', []],
  ])('%s', (code, keys) => expect(of(code).env).toEqual(keys));

  it('is followed into other functions and files', () => {
    const { env, unknown } = names({
      'index.ts':
        'import { go } from "./lib/go.ts"; export default { fetch(request: Request, env: Env) { return go(env) } }',
      'lib/go.ts': 'export const go = (settings: Env) => more(settings); function more({ DEEP }: Env) { return DEEP }',
    });
    expect(env).toEqual(['DEEP']);
    expect(unknown).toEqual([]);
  });

  it.each([
    'process.env[name()]',
    `Deno.env.get(\`A_\${which}\`)`,
    'const all = { ...process.env }',
    'for (const key in process.env) use(key)',
    'Object.keys(process.env)',
    'const { A, ...rest } = process.env',
  ])('%s is reported as unknown', (code) => {
    expect(of(code).unknown).toContainEqual(
      expect.objectContaining({ about: 'ENV', path: 'index.ts', line: 1, text: expect.stringMatching(/env|rest/) }),
    );
  });
});

describe('hosts and apps', () => {
  it.each([
    ['fetch("https://API.acme.com/v1")', ['api.acme.com']],
    [`const BASE = "https://api.acme.com"; fetch(BASE + "/v1"); fetch(\`\${BASE}/v2/\${id}\`)`, ['api.acme.com']],
    ['fetch(new URL("/v1", "https://api.acme.com:8443"))', ['api.acme.com:8443']],
    ['new WebSocket("wss://user:secret@live.acme.com/x")', ['live.acme.com']],
    [
      'const r = new Request("https://a.example/"); fetch("http://[2001:db8::1]:80/x")',
      ['[2001:db8::1]:80', 'a.example'],
    ],
    ['// https://in.a.comment/\nconst type = {} as Of<"https://in.a.type/">', []],
    ['const text = "see https://in.the.middle/"', []],
  ])('%s', (code, hosts) => expect(of(code).hosts).toEqual(hosts));

  it('resolves a constant of another file', () => {
    const found = names({
      'index.ts': `import { BASE as at } from "./config.ts"; fetch(\`\${at}/orders\`)`,
      'config.ts': 'export const BASE = "https://api.acme.com/v1" as const;',
    });
    expect(found).toMatchObject({ hosts: ['api.acme.com'], unknown: [] });
  });

  it.each([
    [`fetch(\`\${process.env.GATEWAY_URL}/slack/api/chat.postMessage\`)`, ['slack']],
    ['const gateway = env.GATEWAY_URL; fetch(gateway + "/stripe/v1/charges?x=" + id)', ['stripe']],
    [`const { fetch: f } = globalThis; const g = Deno.env.get("GATEWAY_URL")!; fetch(\`\${g}/github\`)`, ['github']],
    ['fetch(new URL("/notion/v1/pages", process.env.GATEWAY_URL))', ['notion']],
  ])('%s', (code, apps) => expect(of(code)).toMatchObject({ apps, unknown: [] }));

  it.each([
    'fetch(address)',
    `fetch(\`https://\${tenant}.acme.com/\`)`,
    `fetch(\`https://api.acme.com\${path}\`)`,
    `fetch(\`\${process.env.GATEWAY_URL}/\${app}/x\`)`,
    'globalThis.fetch(request)',
    'import { connect } from "node:net"',
  ])('%s is reported as unknown', (code) => {
    expect(of(code).unknown).toContainEqual(expect.objectContaining({ about: 'ADDRESS', line: 1 }));
  });
});

describe('external code', () => {
  it('recognizes files of the function by the paths of tsconfig.json', () => {
    const files = { 'index.ts': 'import "@/lib/a"; import "ms"', 'src/lib/a.ts': '' };
    const paths = '{"compilerOptions":{"paths":{"@/*":["src/*"]}}}';
    expect(names({ ...files, 'tsconfig.json': paths }).packages).toEqual(['ms']);
    expect(names({ ...files, 'tsconfig.json': '{' }).packages).toEqual(['@/lib', 'ms']);
  });

  it('lists packages, not modules of Node or of the function', () => {
    expect(
      of(
        'import a from "left-pad"; import { b } from "@acme/sdk/deep"; import fs from "fs"; import "./own.ts"; import type { T } from "types-only"; const c = require("ms")',
      ),
    ).toMatchObject({ packages: ['@acme/sdk', 'left-pad', 'ms'] });
  });

  it.each(['eval(text)', 'new Function("return 1")', 'await import(name)', 'require(name)'])('%s', (code) => {
    expect(of(code).unknown).toContainEqual(expect.objectContaining({ about: 'CODE' }));
  });
});

describe('unusual code', () => {
  it.each([
    [
      'index.ts',
      'type A<T> = T extends infer U ? U : never; enum E { X } export const x = <T,>(y: T) => y; process.env.A',
    ],
    ['index.tsx', 'export const V = () => <a href="https://api.acme.com/">{process.env.A}</a>'],
    ['index.js', 'module.exports = function () { return process.env.A; }; with_ = 0'],
    ['index.cjs', 'return process.env.A'],
    ['index.mjs', 'const a = await process.env.A; const a = 2;'],
  ])('%s: %s', (path, code) => expect(of(code, path).env).toEqual(['A']));

  it('reports files that it could not read', () => {
    const deep = `x = ${'['.repeat(50_000)}`;
    expect(names({ 'a.ts': 'const = ;;; {', 'b.js': deep, 'c.py': 'import os', 'd.json': '{' }).unknown).toEqual([
      { about: 'FILE', path: 'a.ts', line: 1, text: expect.stringMatching(/parser/) },
      { about: 'FILE', path: 'b.js', line: 1, text: expect.stringMatching(/deeply|parser/) },
      { about: 'FILE', path: 'c.py', line: 1, text: 'Python is not read' },
    ]);
  });

  it('keeps its lists short', () => {
    const code = Array.from({ length: 5_000 }, (_, at) => `process.env.K${at}; process.env.SAME; process.env[k${at}];`);
    const { env, unknown } = readFiles({ 'index.ts': code.join('\n') });
    expect(env).toHaveLength(200);
    expect(Math.max(...env.map(({ places }) => places.length))).toBe(20);
    expect(unknown).toHaveLength(100);
  });

  it('reads long lists', () => {
    expect(of(`const list = [${'1,'.repeat(200_000)} process.env.A];`).env).toEqual(['A']);
  });

  it('stops at names that refer to each other', () => {
    const code = Array.from({ length: 40 }, (_, at) => `const a${at} = a${at + 1} + a${at + 1};`).join('\n');
    expect(of(`${code}\nconst a40 = a0; fetch(a0); export const b = b`).unknown).toContainEqual(
      expect.objectContaining({ about: 'ADDRESS' }),
    );
  });
});
