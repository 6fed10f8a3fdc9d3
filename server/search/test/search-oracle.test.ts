/** Code search against ripgrep: the same files, lines and counts, for hundreds of queries over real code. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rgPath } from '@vscode/ripgrep';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SEARCH_HITS_PER_FUNCTION } from '../../../contract/limits.ts';
import type { Reply } from '../../../contract/operations.ts';
import { makeFunction, PATIENTLY } from '../../functions/test/functions-support.ts';
import { type Service, startService } from '../../test/service.ts';

const run = promisify(execFile);
const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const PACKAGES = ['hono', 'zod', 'kysely', 'undici', 'pg', 'prismjs', 'croner', 'jose', 'react-router', 'tailwindcss'];
const FILES_PER_PACKAGE = 30;
const FUNCTION_BYTES = 600_000;
const HANDLER = 'export default { fetch: () => new Response("") };\n';
const AT_ONCE = 2;
const SEED = 20_260_101;

const ODD: Record<string, string> = {
  'odd/crlf.txt': 'first\r\nsecond Line\r\n\r\nconst x = 1;\r\n',
  'odd/no-newline.txt': 'const last = "no newline"',
  'odd/empty.txt': '',
  'odd/newlines.txt': '\n\n\nx\n\n',
  'odd/cjk.txt': '日本語のコード\n// 注文を同期する\nconst 変数 = "日本";\n中文，標點\n한국어 주석\n',
  'odd/emoji.txt': 'const face = "😀😃";\n// 👩‍👩‍👧 family\n😀\n',
  'odd/fold.txt': 'Straße STRASSE ſharp \u212aelvin kelvin Sharp ÀÉÎ àéî İi ΑΣ ας σ\n',
  'odd/bom.txt': '\ufeffconst bom = true;\n',
  'odd/long.txt': `${'abcdefghij '.repeat(20_000)}needle-in-a-long-line ${'x'.repeat(1000)}\nshort\n`,
  'odd/signs.txt': 'a.*b [c] {d} (e) ^f$ g|h \\i /j "k" \'l\' `m` $& $1 %s\n',
};

let service: Service;
let folder: string;
const texts = new Map<string, string>();

function filesOf(packageName: string): string[] {
  return readdirSync(join(MODULES, packageName), { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && /\.(js|mjs|cjs|ts|css|md)$/.test(each.name))
    .map((each) => join(each.parentPath, each.name))
    .sort();
}

/** Evenly spaced elements of a list. */
const some = <T>(all: T[], most: number): T[] =>
  all.filter((_, at) => at % Math.max(1, Math.floor(all.length / most)) === 0).slice(0, most);

beforeAll(async () => {
  service = await startService();
  folder = mkdtempSync(join(tmpdir(), 'sluice-oracle-'));
  let group: Record<string, string> = { ...ODD };
  let bytes = 0;
  let count = 0;
  const groups: Record<string, string>[] = [];
  for (const path of PACKAGES.flatMap((name) => some(filesOf(name), FILES_PER_PACKAGE))) {
    const text = readFileSync(path, 'utf8');
    if (text.length > 200_000 || text.includes('\0') || text.includes('\ufffd')) continue;
    group[relative(MODULES, path).replaceAll('\\', '/')] = text;
    bytes += text.length;
    if (bytes < FUNCTION_BYTES) continue;
    groups.push(group);
    group = {};
    bytes = 0;
  }
  groups.push(group);
  for (const files of groups) {
    const name = `group ${count++}`;
    await makeFunction(service, { 'index.ts': HANDLER, ...files }, { name });
    for (const [path, text] of Object.entries({
      ...files,
      'index.ts': HANDLER,
    })) {
      texts.set(`${name}/${path}`, text.replace(/^\ufeff/, ''));
      mkdirSync(dirname(join(folder, name, path)), { recursive: true });
      writeFileSync(join(folder, name, path), text);
    }
  }
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

/** The query for Sluice and that for ripgrep, where classes must be set to ASCII. */
type Query = { q: string; pattern: string; isLiteral: boolean; case: 'auto' | 'yes' | 'no' };

const quote = (text: string) => `"${text.replace(/[\\"]/g, '\\$&')}"`;
const slash = (source: string) => `/${source.replaceAll('/', '\\/')}/`;
const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

function queries(): Query[] {
  const lines = [...texts.values()].flatMap((text) => text.split('\n')).filter((line) => line.trim().length > 3);
  const odd = Object.values(ODD).flatMap((text) => text.split('\n').filter((line) => line.length > 0));
  const line = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...lines) }, fc.constantFrom(...odd));
  const caseMode = fc.constantFrom('auto', 'yes', 'no');
  const piece = fc.tuple(line, fc.nat(), fc.integer({ min: 1, max: 24 })).map(([text, at, length]) => {
    const chars = [...text.slice(0, 4000)];
    const from = at % chars.length;
    return (
      chars
        .slice(from, from + length)
        .join('')
        .replace(/^\s+|\s+$/g, '') || 'x'
    );
  });
  const word = line.map((text) => text.match(/[\p{L}\w$]{2,}/gu)?.at(-1) ?? 'const');
  const literal = fc.oneof(word, piece).map((text) => ({ q: quote(text), pattern: text, isLiteral: true }));
  const part = fc.oneof(
    { weight: 4, arbitrary: fc.oneof(word, piece).map((text): [string, string] => [escaped(text), escaped(text)]) },
    fc.constantFrom<[string, string]>(
      ['\\d+', '[0-9]+'],
      ['\\w*', '[0-9A-Za-z_]*'],
      ['\\s+', '[\\t\\f\\r ]+'],
      ['\\W', '[^0-9A-Za-z_]'],
      ['\\b', '(?-u:\\b)'],
      ['.*', '.*'],
      ['.{1,3}', '.{1,3}'],
      ['[a-f]', '[a-f]'],
      ['[^;]*', '[^;]*'],
      ['(?:get|set|is)', '(?:get|set|is)'],
      ['(?i:Return)', '(?i:Return)'],
      ['\\p{Lu}', '\\p{Lu}'],
      ['x{2,}', 'x{2,}'],
      ['日?', '日?'],
    ),
  );
  const end = fc.constantFrom('', '', '^', '$');
  const regex = fc
    .tuple(fc.array(part, { minLength: 1, maxLength: 4 }), end, fc.boolean())
    .map(([parts, edge, either]) => {
      const join = (side: 0 | 1) => {
        const all = parts.map((each) => each[side]);
        const body = either && all.length > 1 ? `(?:${all.join('|')})` : all.join('');
        return edge === '^' ? `^${body}` : edge === '$' ? `${body}$` : body;
      };
      return { q: slash(join(0)), pattern: join(1), isLiteral: false };
    });
  const query = fc.tuple(fc.oneof({ weight: 2, arbitrary: literal }, { weight: 3, arbitrary: regex }), caseMode);
  const generated = fc
    .sample(query, { numRuns: 330, seed: SEED })
    .map(([each, mode]): Query => ({ ...each, case: mode }) as Query);
  const chosen: Query[] = [
    ['/^$/', '^$', false],
    ['/^\\s*$/', '^[\\t\\f\\r ]*$', false],
    ['/\\r$/', '\\r$', false],
    ['/x*/', 'x*', false],
    ['/;$/', ';$', false],
    ['/^const/', '^const', false],
    ['/[\\x{4e00}-\\x{9fff}]/', '[\\x{4e00}-\\x{9fff}]', false],
    ['/\\u{1F600}/', '\\x{1F600}', false],
    ['" "', ' ', true],
    ['"\u212a"', '\u212a', true],
    ['"ſ"', 'ſ', true],
    ['"ΑΣ"', 'ΑΣ', true],
  ].map(([q, pattern, isLiteral]) => ({ q, pattern, isLiteral, case: 'no' }) as Query);
  const short = generated.filter(({ q }) => q.length <= 300 && !/[\r\ufeff]/.test(q));
  return [...new Map([...short, ...chosen].map((each) => [each.q + each.case, each])).values()];
}

type Lines = Map<string, string[]>;

const hasUpper = ({ pattern, isLiteral }: Query): boolean =>
  /\p{Lu}/u.test(isLiteral ? pattern : pattern.replace(/\\p\{Lu\}|\\[A-Z]|\[[^\]]*A-Z[^\]]*\]/g, ''));

const inShell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * By function: path and number of each matching line, per query. One shell runs all: this process is large, so starting
 * a child process for each query would take longer than the search.
 */
async function ripgrep(all: Query[]): Promise<Lines[]> {
  const answers = mkdtempSync(join(tmpdir(), 'sluice-ripgrep-'));
  const fixed = [
    '--no-config',
    '--text',
    '--no-ignore',
    '--hidden',
    '--null',
    '--line-number',
    '--threads',
    '1',
    '--no-heading',
    '--max-columns',
    '20',
  ];
  const asked = all.map((query, at) => {
    const isSensitive = query.case === 'yes' || (query.case === 'auto' && hasUpper(query));
    const flags = [isSensitive ? '--case-sensitive' : '--ignore-case', ...(query.isLiteral ? ['--fixed-strings'] : [])];
    const command = [rgPath, ...fixed, ...flags, '-e', query.pattern, '.'].map(inShell).join(' ');
    // 1: no match.
    return `${command} > ${inShell(join(answers, String(at)))} || [ $? = 1 ] || exit 2\n`;
  });
  const script = join(answers, 'all.sh');
  writeFileSync(script, asked.join(''));
  await run('sh', [script], { cwd: folder });
  const lines = all.map((_, at) => {
    const found: Lines = new Map();
    const text = readFileSync(join(answers, String(at)), 'utf8');
    for (const [, fn = '', path = '', line = ''] of text.matchAll(/^\.\/([^/]+)\/([^\0\n]+)\0(\d+):/gm)) {
      const known = found.get(fn);
      if (known) known.push(`${path}:${line}`);
      else found.set(fn, [`${path}:${line}`]);
    }
    return found;
  });
  rmSync(answers, { recursive: true });
  return lines;
}

/** On a machine that is busy with other tests, time may be up early; `truncated` reports it. */
async function askWhole(path: string) {
  let answer = await service.api<Reply<'functionSearch'>>('GET', path);
  for (let again = 0; again < 20 && answer.body.truncated; again++)
    answer = await service.api<Reply<'functionSearch'>>('GET', path);
  expect(answer.body.truncated, path).not.toBe(true);
  return answer;
}

const inOrder = (a: string, b: string) => {
  const [pathA = '', lineA] = a.split(/:(?=\d+$)/);
  const [pathB = '', lineB] = b.split(/:(?=\d+$)/);
  return pathA < pathB ? -1 : pathA > pathB ? 1 : Number(lineA) - Number(lineB);
};

it('finds the same files, lines and counts', { timeout: 600_000 }, async () => {
  const all = queries();
  expect(all.length).toBeGreaterThan(300);
  // Filler of another account, so that all of the code is moved into a segment.
  const { key } = await service.secondAccount();
  const filler = { 'index.ts': HANDLER, 'filler.txt': 'filler of another account\n'.repeat(220_000) };
  await makeFunction(service, filler, { name: 'Filler' }, key);
  await askWhole('/functions/search?q=%22x%22');
  await expect.poll(() => service.services.search.size(), PATIENTLY).toMatchObject({ freshBytes: 0, segments: 1 });
  let withHits = 0;
  const found = await ripgrep(all);
  const check = async (query: Query, expected: Lines) => {
    const asked = new URLSearchParams({ q: query.q, case: query.case, limit: '100' });
    const { status, body } = await askWhole(`/functions/search?${asked}`);
    expect(status, `${query.q} ${JSON.stringify(body)}`).toBe(200);
    const label = `${query.q} (${query.case})`;
    expect(Object.fromEntries(body.functions.map((fn) => [fn.name, fn.hit_count])), label).toEqual(
      Object.fromEntries([...expected].map(([fn, lines]) => [fn, lines.length])),
    );
    for (const fn of body.functions) {
      const lines = (expected.get(fn.name) ?? []).sort(inOrder).slice(0, SEARCH_HITS_PER_FUNCTION);
      expect(
        fn.hits.map(({ path, line }) => `${path}:${line}`),
        label,
      ).toEqual(lines);
      const [hit] = fn.hits;
      const text = hit && texts.get(`${fn.name}/${hit.path}`)?.split('\n')[hit.line - 1];
      if (hit && hit.text.length < 1000) expect(hit.text, label).toBe(text);
    }
    if (expected.size > 0) withHits += 1;
  };
  for (let from = 0; from < all.length; from += AT_ONCE)
    await Promise.all(all.slice(from, from + AT_ONCE).map((query, at) => check(query, found[from + at] ?? new Map())));
  expect(withHits).toBeGreaterThan(200);
});
