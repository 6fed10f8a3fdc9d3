/** Real code for the benchmark: what lies in packages of npm, cut at ends of lines into pieces the size of a function. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(new URL('../../node_modules', import.meta.url));
/** Large ones, fetched only when those of this repository don't have enough code. */
const PACKAGES = ['googleapis', 'aws-sdk', 'antd', '@mui/material', 'three', 'firebase', '@tensorflow/tfjs', 'core-js'];
const MORE_PACKAGES = ['@aws-sdk/client-ec2', '@mui/icons-material', 'stripe', 'rxjs', 'date-fns', 'webpack', 'next'];
const LEAST_BYTES = 64;
const MOST_BYTES = 20_000;
const FILE_BYTES = 2_000_000;

/** Numbers from 0 to 1 that are the same in every run. */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** At most so many pieces, and so many bytes in all; each piece once. */
export function collect(folder: string, most: { pieces: number; bytes: number }): string[] {
  const pieces = new Set<string>();
  let bytes = 0;
  const next = numbers(7);
  const isEnough = () => pieces.size >= most.pieces || bytes >= most.bytes;
  const perPiece = most.bytes / most.pieces;
  const take = (root: string) => {
    for (const path of filesIn(root)) {
      const text = readFileSync(path, 'utf8');
      if (text.length > FILE_BYTES || text.includes('\0') || text.includes('\ufffd') || isMinified(text)) continue;
      for (const piece of cut(text, () => Math.min(MOST_BYTES, perPiece * 2 * (0.3 + 1.7 * next())))) {
        if (isEnough()) return;
        if (piece.length < LEAST_BYTES || pieces.has(piece)) continue;
        pieces.add(piece);
        bytes += Buffer.byteLength(piece);
      }
    }
  };
  take(HERE);
  for (const names of [PACKAGES, MORE_PACKAGES]) {
    if (isEnough()) break;
    const place = join(folder, `packages-${names[0]}`);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'package.json'), '{"private":true}');
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps', ...names], {
      cwd: place,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    take(join(place, 'node_modules'));
  }
  return [...pieces];
}

function filesIn(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && /\.[cm]?[jt]sx?$/.test(each.name) && !each.name.includes('.min.'))
    .map((each) => join(each.parentPath, each.name))
    .sort();
}

const isMinified = (text: string) => text.length / (text.split('\n').length || 1) > 200;

function* cut(text: string, length: () => number): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from + length());
    const to = end < 0 ? text.length : end + 1;
    yield text.slice(from, to);
    from = to;
  }
}

/** Queries of each class, sampled from the code; `pattern` is the query as ripgrep and csearch read it. */
export type Query = { q: string; pattern: string; isLiteral: boolean; isSensitive: boolean };
export type QueryClass = { name: string; queries: Query[]; isRanked?: true };

export function queriesOf(pieces: string[], perClass: number): QueryClass[] {
  const next = numbers(11);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(next() * all.length)] as T;
  const line = () => {
    for (;;) {
      const found = pick(pick(pieces).split('\n')).trim();
      if (found.length > 12 && found.length < 200 && /^[\x20-\x7e]+$/.test(found)) return found;
    }
  };
  const identifier = () => {
    for (;;) {
      const found = line()
        .match(/[A-Za-z_]\w{5,}/g)
        ?.at(-1);
      if (found) return found;
    }
  };
  const times = (make: () => Query) => Array.from({ length: perClass }, make);
  const literal = (text: string, isSensitive = /[A-Z]/.test(text)): Query => ({
    q: `"${text.replace(/["\\]/g, '\\$&')}"`,
    pattern: text,
    isLiteral: true,
    isSensitive,
  });
  const regex = (pattern: string, isSensitive = true): Query => ({
    q: `/${pattern.replaceAll('/', '\\/')}/`,
    pattern,
    isLiteral: false,
    isSensitive,
  });
  const hostile = ['(a+)+$', '(x+x+)+y', '(.*)*=.*;$', '([a-z]+)*\\d{3}$', '(\\w+\\s?)+;{3}', '(.*a){8}q'];
  const bare = [
    '\\w+\\(\\w+, \\w+\\) \\{$',
    '^\\s+\\d+,$',
    '[a-z]{12,}\\(\\)',
    '\\d{5,}',
    '^[A-Z_]+ = \\d',
    '\\w+\\.\\w+\\.\\w+\\(\\)',
  ];
  const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return [
    { name: 'identifier', queries: times(() => literal(identifier())) },
    { name: 'word, any case', queries: times(() => literal(identifier().toLowerCase(), false)) },
    { name: 'phrase', queries: times(() => literal(line().slice(0, 30).trim())) },
    { name: 'in none', queries: times(() => literal(`zq${identifier()}Qz`)) },
    { name: 'regex with a literal', queries: times(() => regex(`${escaped(identifier())}\\s*[(.=].*`)) },
    {
      name: 'the same, any case',
      queries: times(() => regex(`\\b${escaped(identifier().toLowerCase())}\\w*\\s*\\(`, false)),
    },
    { name: 'regex without one', queries: times(() => regex(pick(bare))) },
    { name: 'hostile regex', queries: times(() => regex(pick(hostile))) },
    {
      name: 'words (ranked)',
      isRanked: true,
      queries: times(() => ({ ...literal(`${identifier().slice(0, 6)}`, false), q: identifier().slice(0, 6) })),
    },
  ];
}
