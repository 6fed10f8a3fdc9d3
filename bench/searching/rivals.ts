/** The compared programs: each finds the pieces that match a query, in its intended way. */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Client } from 'pg';
import { findProgram, type Program } from '../programs.ts';
import { cpuOf, cpuOfChildren } from './cpu.ts';
import { starsOf } from './loading.ts';
import type { Query, Term } from './queries.ts';
import { LIMIT, sqlFor, TIMEOUT_MS, type Work } from './trigram-query.ts';

const run = promisify(execFile);

export type Rival = {
  name: string;
  built: string;
  /** Whether it runs between queries, as a service does. Such a program is warmed up with other queries. */
  keepsRunning: boolean;
  /** It matches each line for itself. */
  isByLine?: true;
  /** Returns how many pieces it reported. */
  find(query: Query): Promise<number>;
  /** CPU seconds used so far, by the program and its helper processes. */
  cpu(): number;
};

export function writeFiles(folder: string, pieces: string[]): string {
  const place = join(folder, 'files');
  if (existsSync(place)) return place;
  for (const [index, piece] of pieces.entries()) {
    const part = join(place, String(index % 512));
    if (index < 512) mkdirSync(part, { recursive: true });
    writeFileSync(join(part, `${index}.js`), piece);
  }
  return place;
}

function isInstalled(program: Program): boolean {
  const isInstalled = findProgram(program) !== undefined;
  if (!isInstalled) process.stderr.write(`${program} is not installed and is skipped.\n`);
  return isInstalled;
}
const linesOf = (output: string) => output.split('\n').length - 1;
const nothing = (error: { code?: unknown }) => {
  if (error.code === 1) return { stdout: '' };
  throw error;
};

/**
 * The pieces of a query with two terms: such a program is started for each term, as a script would do, and prints the
 * files.
 */
async function combined(query: Query, files: (term: Term) => Promise<string>): Promise<number> {
  const [first, second] = await Promise.all([query, query.and ?? query.not ?? query].map((term) => files(term)));
  const others = new Set(second?.split('\n'));
  return (first ?? '').split('\n').filter((file) => file !== '' && others.has(file) === Boolean(query.and)).length;
}

/** Prints the counts of all files, unsorted. */
export function ripgrep(files: string): Rival | undefined {
  if (!isInstalled('rg')) return undefined;
  const ask = async ({ pattern, isLiteral, isSensitive }: Term, more: string[]) => {
    const flags = [
      '--no-config',
      '--no-ignore',
      '-j2',
      isSensitive ? '-s' : '-i',
      // Classes of ASCII only, as in this service; letters are compared in all languages.
      ...(isLiteral ? ['-F'] : ['--no-unicode']),
    ];
    const options = { cwd: files, maxBuffer: 1 << 28, timeout: TIMEOUT_MS };
    return (await run('rg', [...flags, ...more, '-e', pattern, '.'], options).catch(nothing)).stdout;
  };
  return {
    name: 'ripgrep',
    built: 'none',
    keepsRunning: false,
    async find(query) {
      if (query.and || query.not) return combined(query, (term) => ask(term, ['--files-with-matches']));
      return linesOf(await ask(query, ['--count', ...(query.isMultiLine ? ['--multiline'] : [])]));
    },
    cpu: cpuOfChildren,
  };
}

/** Prints the counts of all files, unsorted. */
export function codesearch(files: string, folder: string): Rival | undefined {
  if (!isInstalled('csearch')) return undefined;
  const env = { ...process.env, CSEARCHINDEX: join(folder, 'csearchindex') };
  const startMs = performance.now();
  execFileSync('cindex', [files], { env, stdio: 'ignore' });
  const built = `${((performance.now() - startMs) / 1000).toFixed(1)} s`;
  const ask = async ({ pattern, isLiteral, isSensitive }: Term, how: string) => {
    const source = isLiteral ? pattern.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') : pattern;
    const options = { env, maxBuffer: 1 << 28, timeout: TIMEOUT_MS };
    return (await run('csearch', [how, ...(isSensitive ? [] : ['-i']), source], options).catch(nothing)).stdout;
  };
  return {
    name: 'codesearch',
    built,
    keepsRunning: false,
    isByLine: true,
    async find(query) {
      if (query.and || query.not) return combined(query, (term) => ask(term, '-l'));
      return linesOf(await ask(query, '-c'));
    },
    cpu: cpuOfChildren,
  };
}

export async function makeTrigrams(client: Client, pieces: string[]): Promise<string> {
  const startMs = performance.now();
  await client.query('create extension if not exists pg_trgm');
  await client.query('create table bench_code (id integer primary key, stars integer not null, code text not null)');
  for (let from = 0; from < pieces.length; from += 1000) {
    const part = pieces
      .slice(from, from + 1000)
      .map((code, at) => ({ id: from + at, stars: starsOf(from + at), code }));
    await client.query(
      'insert into bench_code select * from json_to_recordset($1) as given (id integer, stars integer, code text)',
      [JSON.stringify(part)],
    );
  }
  await client.query('create index bench_code_trgm on bench_code using gin (code gin_trgm_ops)');
  await client.query('vacuum analyze bench_code');
  return `${((performance.now() - startMs) / 1000).toFixed(1)} s`;
}

/** pg_trgm over the database socket, without HTTP. */
export async function trigrams(client: Client, built: string, work: Work): Promise<Rival> {
  await client.query(`set statement_timeout = ${TIMEOUT_MS}`);
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const pid = rows[0]?.pid ?? 0;
  return {
    name: `pg_trgm, ${work} ${LIMIT}`,
    built,
    keepsRunning: true,
    async find(query) {
      const { rowCount } = await client.query(...sqlFor(query, work));
      return rowCount ?? 0;
    },
    cpu: () => cpuOf(pid),
  };
}

/** pg_trgm over HTTP, as this service is called: see trigram-server.ts. */
export async function trigramsByHttp(DATABASE_URL: string, built: string): Promise<Rival & { close(): void }> {
  const server = spawn(process.execPath, [join(import.meta.dirname, 'trigram-server.ts')], {
    env: { ...process.env, DATABASE_URL },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [hello] = (await once(server.stdout, 'data')) as [Buffer];
  const [port, session] = hello.toString().trim().split(' ').map(Number);
  return {
    name: `pg_trgm, any ${LIMIT}, by HTTP`,
    built,
    keepsRunning: true,
    async find(query) {
      const params = new URLSearchParams({ query: JSON.stringify(query) });
      const response = await fetch(`http://127.0.0.1:${port}/?${params}`);
      const { functions = [] } = (await response.json()) as { functions?: unknown[] };
      return functions.length;
    },
    cpu: () => cpuOf(server.pid ?? 0) + cpuOf(session ?? 0),
    close: () => void server.kill(),
  };
}
