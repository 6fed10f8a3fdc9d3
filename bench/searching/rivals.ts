/** The others: each finds the pieces that have a query, in the way it is meant to be used. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Client } from 'pg';
import type { Query } from './corpus.ts';

const run = promisify(execFile);

export type Rival = { name: string; built: string; find(query: Query): Promise<number> };

/** How many pieces have it; nobody has to wait longer than this. */
const PATIENCE_MS = 20_000;
const LIMIT = 26;

export function writeFiles(folder: string, pieces: string[]): string {
  const place = join(folder, 'files');
  for (const [index, piece] of pieces.entries()) {
    const part = join(place, String(index % 512));
    if (index < 512) mkdirSync(part, { recursive: true });
    writeFileSync(join(part, `${index}.js`), piece);
  }
  return place;
}

const linesOf = (output: string) => output.split('\n').length - 1;
const nothing = (error: { code?: unknown }) => {
  if (error.code === 1) return { stdout: '' };
  throw error;
};

export function ripgrep(files: string): Rival {
  return {
    name: 'ripgrep',
    built: 'none',
    async find({ pattern, isLiteral, isSensitive }) {
      const flags = [
        '--no-config',
        '--no-ignore',
        '--count',
        isSensitive ? '-s' : '-i',
        isLiteral ? '-F' : '--no-unicode',
      ];
      const options = { cwd: files, maxBuffer: 1 << 28, timeout: PATIENCE_MS };
      const { stdout } = await run('rg', [...flags, '-e', pattern, '.'], options).catch(nothing);
      return linesOf(stdout);
    },
  };
}

export function codesearch(files: string, folder: string): Rival {
  const env = { ...process.env, CSEARCHINDEX: join(folder, 'csearchindex') };
  const startMs = performance.now();
  execFileSync('cindex', [files], { env, stdio: 'ignore' });
  const built = `${((performance.now() - startMs) / 1000).toFixed(1)} s`;
  return {
    name: 'codesearch',
    built,
    async find({ pattern, isLiteral, isSensitive }) {
      const source = isLiteral ? pattern.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') : pattern;
      const flags = ['-c', ...(isSensitive ? [] : ['-i'])];
      const { stdout } = await run('csearch', [...flags, source], {
        env,
        maxBuffer: 1 << 28,
        timeout: PATIENCE_MS,
      }).catch(nothing);
      return linesOf(stdout);
    },
  };
}

/** Not all that match, like us: one more than a page. */
export async function trigrams(client: Client, pieces: string[]): Promise<Rival> {
  const startMs = performance.now();
  await client.query('create extension if not exists pg_trgm');
  await client.query('create table bench_code (id integer primary key, code text not null)');
  for (let from = 0; from < pieces.length; from += 1000) {
    const part = pieces.slice(from, from + 1000);
    await client.query(
      'insert into bench_code select $1 + row_number() over (), code from unnest($2::text[]) as code',
      [from, part],
    );
  }
  await client.query('create index bench_code_trgm on bench_code using gin (code gin_trgm_ops)');
  await client.query('vacuum analyze bench_code');
  await client.query(`set statement_timeout = ${PATIENCE_MS}`);
  const built = `${((performance.now() - startMs) / 1000).toFixed(1)} s`;
  return {
    name: 'pg_trgm',
    built,
    async find({ pattern, isLiteral, isSensitive }) {
      const like = isSensitive ? 'like' : 'ilike';
      const operator = isLiteral ? like : isSensitive ? '~' : '~*';
      // There, \b is a backspace; and a line is what newlines part.
      const given = isLiteral ? `%${pattern.replace(/[\\%_]/g, '\\$&')}%` : `(?n)${pattern.replaceAll('\\b', '\\y')}`;
      const { rowCount } = await client.query(`select id from bench_code where code ${operator} $1 limit ${LIMIT}`, [
        given,
      ]);
      return rowCount ?? 0;
    },
  };
}
