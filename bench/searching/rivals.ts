/** The others: each finds the pieces that have a query, in the way it is meant to be used. */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Client } from 'pg';
import { findProgram, type Program } from '../programs.ts';
import { cpuOf, cpuOfChildren } from './cpu.ts';
import { starsOf } from './loading.ts';
import type { Query } from './queries.ts';
import { LIMIT, PATIENCE_MS, questionOf, type Work } from './trigram-question.ts';

const run = promisify(execFile);

export type Rival = {
  name: string;
  built: string;
  /** One that keeps running between queries, as a service does, may have answered other queries before. */
  keepsRunning: boolean;
  /** Returns how many pieces it reported. */
  find(query: Query): Promise<number>;
  /** Seconds of CPU used so far, by the program and by those that work for it. */
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
  if (!isInstalled) process.stderr.write(`${program} is not installed, so it is left out.\n`);
  return isInstalled;
}
const linesOf = (output: string) => output.split('\n').length - 1;
const nothing = (error: { code?: unknown }) => {
  if (error.code === 1) return { stdout: '' };
  throw error;
};

/** Lines and counts of all files; in no order. */
export function ripgrep(files: string): Rival | undefined {
  if (!isInstalled('rg')) return undefined;
  return {
    name: 'ripgrep',
    built: 'none',
    keepsRunning: false,
    async find({ pattern, isLiteral, isSensitive }) {
      const flags = [
        '--no-config',
        '--no-ignore',
        '-j2',
        '--count',
        isSensitive ? '-s' : '-i',
        isLiteral ? '-F' : '--no-unicode',
      ];
      const options = { cwd: files, maxBuffer: 1 << 28, timeout: PATIENCE_MS };
      const { stdout } = await run('rg', [...flags, '-e', pattern, '.'], options).catch(nothing);
      return linesOf(stdout);
    },
    cpu: cpuOfChildren,
  };
}

/** Counts of all files; in no order. */
export function codesearch(files: string, folder: string): Rival | undefined {
  if (!isInstalled('csearch')) return undefined;
  const env = { ...process.env, CSEARCHINDEX: join(folder, 'csearchindex') };
  const startMs = performance.now();
  execFileSync('cindex', [files], { env, stdio: 'ignore' });
  const built = `${((performance.now() - startMs) / 1000).toFixed(1)} s`;
  return {
    name: 'codesearch',
    built,
    keepsRunning: false,
    async find({ pattern, isLiteral, isSensitive }) {
      const source = isLiteral ? pattern.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') : pattern;
      const flags = ['-c', ...(isSensitive ? [] : ['-i'])];
      const options = { env, maxBuffer: 1 << 28, timeout: PATIENCE_MS };
      const { stdout } = await run('csearch', [...flags, source], options).catch(nothing);
      return linesOf(stdout);
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

/** Over the socket, without HTTP. */
export async function trigrams(client: Client, built: string, work: Work): Promise<Rival> {
  await client.query(`set statement_timeout = ${PATIENCE_MS}`);
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const pid = rows[0]?.pid ?? 0;
  return {
    name: `pg_trgm, ${work} ${LIMIT}`,
    built,
    keepsRunning: true,
    async find(query) {
      const { rowCount } = await client.query(...questionOf(query, work));
      return rowCount ?? 0;
    },
    cpu: () => cpuOf(pid),
  };
}

/** The same by HTTP, as ours is asked: see trigram-door.ts. */
export async function trigramsByHttp(DATABASE_URL: string, built: string): Promise<Rival & { close(): void }> {
  const door = spawn(process.execPath, [join(import.meta.dirname, 'trigram-door.ts')], {
    env: { ...process.env, DATABASE_URL },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [hello] = (await once(door.stdout, 'data')) as [Buffer];
  const [port, session] = hello.toString().trim().split(' ').map(Number);
  return {
    name: `pg_trgm, any ${LIMIT}, by HTTP`,
    built,
    keepsRunning: true,
    async find({ pattern, isLiteral, isSensitive }) {
      const asked = new URLSearchParams({
        pattern,
        ...(isLiteral ? { literal: '' } : {}),
        ...(isSensitive ? { case: '' } : {}),
      });
      const response = await fetch(`http://127.0.0.1:${port}/?${asked}`);
      const { functions = [] } = (await response.json()) as { functions?: unknown[] };
      return functions.length;
    },
    cpu: () => cpuOf(door.pid ?? 0) + cpuOf(session ?? 0),
    close: () => void door.kill(),
  };
}
