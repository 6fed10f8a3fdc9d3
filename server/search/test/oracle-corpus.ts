/**
 * Real code of npm packages, odd files and texts in five languages, as functions of a service and as files for ripgrep,
 * which lists the lines that match.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rgPath } from '@vscode/ripgrep';
import { expect, vi } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { makeFunction, PATIENTLY } from '../../functions/test/functions-support.ts';
import { type Service, startService } from '../../test/service.ts';

const run = promisify(execFile);
const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const PACKAGES = ['hono', 'zod', 'kysely', 'undici', 'pg', 'prismjs', 'croner', 'jose', 'react-router', 'tailwindcss'];
const FILES_PER_PACKAGE = 30;
const FUNCTION_BYTES = 600_000;
const HANDLER = 'export default { fetch: () => new Response("") };\n';

export const ODD: Record<string, string> = {
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

/** Russian, Greek, German, Turkish and Armenian. */
export const LANGUAGES = ['ru', 'el', 'de', 'tr', 'hy'];

/** The names of regions, languages and currencies in a language, as sentences of code and comments in several cases. */
function namesIn(language: string): string {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const pairs = letters.flatMap((a) => letters.map((b) => a + b));
  const namesOf = (type: Intl.DisplayNamesType, codes: string[]) => {
    const names = new Intl.DisplayNames(language, { type, fallback: 'none' });
    return codes.flatMap((code) => names.of(code) ?? []);
  };
  const names = [
    ...namesOf('region', pairs),
    ...namesOf(
      'language',
      pairs.map((pair) => pair.toLowerCase()),
    ),
    ...namesOf('currency', Intl.supportedValuesOf('currency')),
  ];
  const written = [
    (name: string) => `const name = "${name}";`,
    (name: string) => `// ${name.toLocaleUpperCase(language)}`,
    (name: string) => `  "${name.toLocaleLowerCase(language)}",`,
    (name: string) => `${name.toUpperCase()} = ${name.toLowerCase()}`,
  ];
  return `${names.map((name, at) => written[at % written.length]?.(name)).join('\n')}\n`;
}

function filesOf(packageName: string): string[] {
  return readdirSync(join(MODULES, packageName), { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && /\.(js|mjs|cjs|ts|css|md)$/.test(each.name))
    .map((each) => join(each.parentPath, each.name))
    .sort();
}

/** Evenly spaced elements of a list. */
const some = <T>(all: T[], most: number): T[] =>
  all.filter((_, at) => at % Math.max(1, Math.floor(all.length / most)) === 0).slice(0, most);

/** The files of each function. */
function groups(): Record<string, string>[] {
  const made: Record<string, string>[] = [];
  let group: Record<string, string> = { ...ODD };
  let bytes = 0;
  for (const path of PACKAGES.flatMap((name) => some(filesOf(name), FILES_PER_PACKAGE))) {
    const text = readFileSync(path, 'utf8');
    if (text.length > 200_000 || text.includes('\0') || text.includes('\ufffd')) continue;
    group[relative(MODULES, path).replaceAll('\\', '/')] = text;
    bytes += text.length;
    if (bytes < FUNCTION_BYTES) continue;
    made.push(group);
    group = {};
    bytes = 0;
  }
  return [...made, group, ...LANGUAGES.map((language) => ({ [`names/${language}.ts`]: namesIn(language) }))];
}

export type Corpus = {
  service: Service;
  /** By function and path. */
  texts: Map<string, string>;
  ripgrep(patterns: Pattern[]): Promise<Lines[]>;
  close(): Promise<void>;
};

/** Deploys the corpus, and waits until all of it is in a segment of the index. */
export async function createCorpus(): Promise<Corpus> {
  const service = await startService();
  const folder = mkdtempSync(join(tmpdir(), 'sluice-oracle-'));
  const texts = new Map<string, string>();
  let count = 0;
  for (const group of groups()) {
    const name = `group ${count++}`;
    const files = { ...group, 'index.ts': HANDLER };
    await makeFunction(service, files, { name });
    for (const [path, text] of Object.entries(files)) {
      texts.set(`${name}/${path}`, text.replace(/^\ufeff/, ''));
      mkdirSync(dirname(join(folder, name, path)), { recursive: true });
      writeFileSync(join(folder, name, path), text);
    }
  }
  // Filler of another account, so that all of the code is moved into a segment.
  const { key } = await service.secondAccount();
  const filler = { 'index.ts': HANDLER, 'filler.txt': 'filler of another account\n'.repeat(220_000) };
  await makeFunction(service, filler, { name: 'Filler' }, key);
  await askWhole(service, { q: '"x"' });
  await vi.waitFor(
    () => expect(service.services.search.size()).toMatchObject({ freshBytes: 0, segments: 1 }),
    PATIENTLY,
  );
  return {
    service,
    texts,
    ripgrep: (patterns) => ripgrep(folder, patterns),
    async close() {
      await service.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** On a machine that is busy with other tests, time may be up early; `truncated` reports it. */
export async function askWhole(service: Service, query: Record<string, string>) {
  const path = `/functions/search?${new URLSearchParams({ limit: '100', ...query })}`;
  let answer = await service.api<Reply<'functionSearch'>>('GET', path);
  for (let again = 0; again < 20 && answer.body.truncated; again++)
    answer = await service.api<Reply<'functionSearch'>>('GET', path);
  expect(answer.body.truncated, path).not.toBe(true);
  return answer;
}

/** By function: path and number of each line on which a match begins. */
export type Lines = Map<string, string[]>;
/** A pattern in the syntax of ripgrep. */
export type Pattern = { pattern: string; isLiteral: boolean; isSensitive: boolean; isMultiLine?: boolean };

const inShell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * The lines of each pattern. One shell runs all: this process is large, so starting a child process for each pattern
 * would take longer than the search.
 */
async function ripgrep(folder: string, patterns: Pattern[]): Promise<Lines[]> {
  const answers = mkdtempSync(join(tmpdir(), 'sluice-ripgrep-'));
  const fixed = ['--no-config', '--text', '--no-ignore', '--hidden', '--threads', '1'];
  const byLine = ['--null', '--line-number', '--no-heading', '--max-columns', '20'];
  const asked = patterns.map(({ pattern, isLiteral, isSensitive, isMultiLine }, at) => {
    const flags = [
      ...(isMultiLine ? ['--multiline', '--json'] : byLine),
      isSensitive ? '--case-sensitive' : '--ignore-case',
      ...(isLiteral ? ['--fixed-strings'] : []),
    ];
    const command = [rgPath, ...fixed, ...flags, '-e', pattern, '.'].map(inShell).join(' ');
    // 1: no match.
    return `${command} > ${inShell(join(answers, String(at)))} || [ $? = 1 ] || exit 2\n`;
  });
  const script = join(answers, 'all.sh');
  writeFileSync(script, asked.join(''));
  await run('sh', [script], { cwd: folder });
  const lines = patterns.map(({ isMultiLine }, at) => {
    const text = readFileSync(join(answers, String(at)), 'utf8');
    const found: Lines = new Map();
    for (const [fn, place] of isMultiLine ? beginnings(text) : places(text)) {
      const known = found.get(fn);
      if (!known) found.set(fn, [place]);
      else if (known.at(-1) !== place) known.push(place);
    }
    return found;
  });
  rmSync(answers, { recursive: true });
  return lines;
}

function places(text: string): [string, string][] {
  const all = [...text.matchAll(/^\.\/([^/]+)\/([^\0\n]+)\0(\d+):/gm)];
  return all.map(([, fn = '', path = '', line = '']) => [fn, `${path}:${line}`]);
}

type Message = {
  type: string;
  data: {
    path: { text: string };
    lines: { text?: string; bytes?: string };
    line_number: number;
    submatches: { start: number }[];
  };
};

/** ripgrep reports adjacent matches together, with the bytes at which each begins. */
function beginnings(text: string): [string, string][] {
  const messages = text.split('\n').flatMap((line): Message[] => (line === '' ? [] : [JSON.parse(line)]));
  return messages.flatMap(({ type, data }) => {
    if (type !== 'match') return [];
    const [, fn = '', path = ''] = data.path.text.match(/^\.\/([^/]+)\/(.*)$/s) ?? [];
    const bytes = data.lines.bytes ? Buffer.from(data.lines.bytes, 'base64') : Buffer.from(data.lines.text ?? '');
    const newlines = [...bytes.keys()].filter((at) => bytes[at] === 10);
    return data.submatches.map(({ start }): [string, string] => {
      const before = newlines.filter((at) => at < start).length;
      return [fn, `${path}:${data.line_number + before}`];
    });
  });
}

/** The order of hits. */
export const inOrder = (a: string, b: string) => {
  const [pathA = '', lineA] = a.split(/:(?=\d+$)/);
  const [pathB = '', lineB] = b.split(/:(?=\d+$)/);
  return pathA < pathB ? -1 : pathA > pathB ? 1 : Number(lineA) - Number(lineB);
};
