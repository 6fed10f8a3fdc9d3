/**
 * Real code for the benchmark: files of npm packages, cut at line ends into pieces the size of a function. The mixed
 * corpus also has Python, C, text in seven languages, and minified bundles.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { requirePrograms } from '../programs.ts';

/** Large packages. npm downloads them once, from its configured registry, into the user's cache. */
const PACKAGES = [
  'googleapis@188.0.0',
  'aws-sdk@2.1693.0',
  'antd@6.6.8',
  '@mui/material@9.5.0',
  'three@0.187.0',
  '@tensorflow/tfjs@4.22.0',
  'core-js@3.51.0',
  '@babylonjs/core@9.34.0',
  'echarts@6.1.0',
  'ag-grid-community@36.2.0',
  '@aws-sdk/client-ec2@3.1169.0',
  'stripe@23.1.0',
  'rxjs@7.8.2',
  'date-fns@4.4.0',
  'webpack@5.112.2',
  'next@16.4.6',
  'aws-cdk-lib@2.276.0',
];
/** For the mixed corpus: C, and text in many languages. */
const MORE_PACKAGES = ['better-sqlite3@13.2.0', 'cldr-localenames-full@48.2.0', 'typescript@5.9.3'];
const LANGUAGES = ['de', 'el', 'fr', 'hy', 'ja', 'ru', 'tr'];
/** The largest share of each kind but JavaScript. */
const SHARE = 0.2;
const LEAST_BYTES = 64;
const MOST_BYTES = 20_000;
const FILE_BYTES = 2_000_000;

/** Returns a pseudo-random number generator with values from 0 to 1, the same in every run. */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export const CORPORA = ['javascript', 'mixed'] as const;
export type CorpusName = (typeof CORPORA)[number];

/** Returns distinct pieces with at least this total count and size, or all if the sources have less. */
export function collect(corpus: CorpusName, least: { pieces: number; bytes: number }): string[] {
  const pieces = new Set<string>();
  let bytes = 0;
  const next = numbers(7);
  // The factors offset the shorter pieces at the ends of files.
  const length = () => Math.min(MOST_BYTES, (least.bytes / least.pieces) * (0.3 + 2 * next()));
  const take = (paths: string[], mostBytes: number) => {
    for (const path of paths) {
      const text = readFileSync(path, 'utf8');
      if (text.length > FILE_BYTES || text.includes('\0') || text.includes('\ufffd')) continue;
      for (const piece of cut(text, length)) {
        if (pieces.size >= least.pieces && bytes >= mostBytes) return;
        if (piece.length < LEAST_BYTES || pieces.has(piece)) continue;
        pieces.add(piece);
        bytes += Buffer.byteLength(piece);
      }
    }
  };
  const sources = corpus === 'mixed' ? mixedSources() : [];
  for (const paths of sources) {
    const before = bytes;
    for (const path of paths) if (bytes - before < SHARE * least.bytes) take([path], before + SHARE * least.bytes);
  }
  take(
    filesIn(downloadPackages('search', PACKAGES), /\.[cm]?[jt]sx?$/).filter((path) => !isMinified(path)),
    least.bytes,
  );
  return [...pieces];
}

/** Files of each kind: Python and C of this machine and of packages, text in several languages, minified bundles. */
function mixedSources(): string[][] {
  const more = downloadPackages('search-mixed', MORE_PACKAGES);
  const packages = downloadPackages('search', PACKAGES);
  const python = spawnSync('python3', ['-c', 'import sysconfig; print(sysconfig.get_paths()["stdlib"])']);
  const stdlib = python.stdout?.toString().trim();
  const isText = (path: string) => LANGUAGES.some((language) => path.split('/').includes(language));
  return [
    stdlib ? filesIn(stdlib, /\.py$/) : [],
    [...filesIn(more, /\.[ch]$/), ...filesIn('/usr/include', /\.h$/)],
    filesIn(more, /\.json$/).filter(isText),
    filesIn(packages, /\.js$/).filter(isMinified),
  ];
}

/** Downloads packages if necessary and returns their folder. */
function downloadPackages(name: string, packages: string[]): string {
  const caches =
    process.env['XDG_CACHE_HOME'] || join(homedir(), process.platform === 'darwin' ? 'Library/Caches' : '.cache');
  const place = join(caches, 'sluice-bench', name);
  const done = join(place, 'packages.txt');
  const wanted = packages.join('\n');
  if (existsSync(done) && readFileSync(done, 'utf8') === wanted) return join(place, 'node_modules');
  requirePrograms(['npm']);
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'package.json'), '{"private":true}');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps'];
  execFileSync('npm', ['install', ...flags, ...packages], { cwd: place, stdio: ['ignore', 'ignore', 'inherit'] });
  writeFileSync(done, wanted);
  return join(place, 'node_modules');
}

function filesIn(root: string, name: RegExp): string[] {
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && name.test(each.name))
    .map((each) => join(each.parentPath, each.name))
    .sort();
}

/** By its name, or by the length of its lines. */
function isMinified(path: string): boolean {
  if (path.includes('.min.')) return true;
  const text = readFileSync(path, 'utf8');
  return text.length / (text.split('\n').length || 1) > 200;
}

function* cut(text: string, length: () => number): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from + length());
    const to = end < 0 ? text.length : end + 1;
    yield text.slice(from, to);
    from = to;
  }
}
