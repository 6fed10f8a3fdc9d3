/** Enforces the console's size budget: prints the files of the first page and fails the build if they exceed it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const DIST = fileURLToPath(new URL('../dist', import.meta.url));
const KB = 1024;

interface Chunk {
  readonly file: string;
  readonly name?: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
  readonly isDynamicEntry?: boolean;
}
type Manifest = Readonly<Record<string, Chunk>>;

interface Budget {
  readonly name: string;
  readonly entry: string;
  /** Chunks of the routes that the page opens on, loaded at once. */
  readonly routes: RegExp;
  readonly jsKb: number;
  readonly cssKb: number;
}

const BUDGETS: readonly Budget[] = [
  {
    name: 'The console, on its overview',
    entry: 'index.html',
    routes: /^src\/(layouts\/Shell|pages\/overview\/[^/]*Page)\.tsx$/,
    jsKb: 123,
    cssKb: 10,
  },
  { name: 'The connect window', entry: 'connect.html', routes: /^$/, jsKb: 90, cssKb: 10 },
];

const manifest = JSON.parse(readFileSync(join(DIST, '.vite/manifest.json'), 'utf8')) as Manifest;

/** Adds a chunk and all its static imports to `seen`. */
function withImports(key: string, seen: Set<string>): Set<string> {
  if (seen.has(key)) return seen;
  seen.add(key);
  for (const needed of manifest[key]?.imports ?? []) withImports(needed, seen);
  return seen;
}

function gzippedKb(file: string): number {
  return gzipSync(readFileSync(join(DIST, file)), { level: 9 }).length / KB;
}

function fitsBudget({ name, entry, routes, jsKb, cssKb }: Budget): boolean {
  if (!manifest[entry]) throw new Error(`The build has no ${entry}.`);
  const first = Object.keys(manifest).filter((key) => manifest[key]?.isDynamicEntry && routes.test(key));
  const keys = [entry, ...first].reduce((seen, key) => withImports(key, seen), new Set<string>());
  const chunks = [...keys].flatMap((key) => manifest[key] ?? []);
  const names = new Map(chunks.map(({ file, name }) => [file, name]));
  const rows = [
    ...new Set(chunks.map((chunk) => chunk.file).filter((file) => file.endsWith('.js'))),
    ...new Set(chunks.flatMap((chunk) => chunk.css ?? [])),
  ].map((file) => ({ file, name: names.get(file) ?? '', kb: gzippedKb(file) }));
  const sum = (extension: string) =>
    rows.filter(({ file }) => file.endsWith(extension)).reduce((total, { kb }) => total + kb, 0);
  const totals = [
    { type: 'JS', kb: sum('.js'), limit: jsKb },
    { type: 'CSS', kb: sum('.css'), limit: cssKb },
  ];

  console.log(`\n${name} (KB gzip)`);
  for (const { file, name, kb } of rows.sort((a, b) => b.kb - a.kb))
    console.log(`  ${kb.toFixed(1).padStart(7)}  ${file} ${name}`);
  for (const { type, kb, limit } of totals)
    console.log(`  ${kb.toFixed(1).padStart(7)}  ${type} total, limit ${limit}${kb > limit ? '  OVER BUDGET' : ''}`);
  return totals.every(({ kb, limit }) => kb <= limit);
}

if (!BUDGETS.map(fitsBudget).every(Boolean)) {
  console.error('\nThe first page is over its budget: load code that it does not show at once on demand.');
  process.exit(1);
}
