/** The real service for API tests: the app of app.ts on a fresh database, listening on its own port. */
import { randomBytes } from 'node:crypto';
import { lookup } from 'node:dns';
import { mkdtempSync, rmSync } from 'node:fs';
import type { LookupFunction } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { Client } from 'pg';
import { pino } from 'pino';
import { expect, inject, onTestFinished } from 'vitest';
import { startApp, type Testing } from '../app.ts';
import { readConfig } from '../config.ts';
import type { Services } from '../platform/context.ts';
import { KNOWN_HOMES, LANGUAGE_CACHE } from '../runtime/testing.ts';
import { addAccount } from './another-account.ts';
import { TEMPLATE } from './database.ts';
import { checkReply } from './document-drift.ts';
import { freePort } from './spawned.ts';

type Answer<T = Record<string, unknown>> = { status: number; headers: Headers; body: T };
type Call = { key?: string | null; headers?: Record<string, string> };

export type Service = {
  url: string;
  port: number;
  key: string;
  account_id: string;
  /** Its data folder; nodes of one database share it. */
  dataDir: string;
  services: Services;
  /** The name and URL of its database, for other nodes. */
  database: string;
  databaseUrl: string;
  /** Calls the API with the first account's key, or with `key` (null: none). A string body is sent unchanged. */
  api<T = Record<string, unknown>>(method: string, path: string, body?: unknown, call?: Call): Promise<Answer<T>>;
  /** Another account with a key, for requests without access. */
  secondAccount(): Promise<{ account_id: string; key: string }>;
  /** All lines logged so far. */
  logged(): string;
  /** Stops the app; `restart` starts it again on the same database and data folder. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

export type ServiceOptions = { env?: Record<string, string>; consoleFolder?: string } & Omit<
  Testing,
  'strictReplies' | 'languageCache' | 'knownHomes'
>;

export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const database = `t_${randomBytes(8).toString('hex')}`;
  const databaseUrl = inject('databaseUrl').replace('{database}', database);
  await asAdmin(`create database ${database} template ${TEMPLATE}`);
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-data-'));
  const port = await freePort();
  const key = `slc_${randomBytes(24).toString('hex')}`;
  let logged = '';
  const sink = new Writable({
    write(chunk, _, done) {
      logged += chunk;
      done();
    },
  });
  const { env, consoleFolder, ...testing } = options;
  const config = readConfig({
    SLUICE_PORT: String(port),
    SLUICE_DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    SLUICE_RATE_LIMIT: '10000',
    // Do not wait for streams that a test leaves open.
    SLUICE_DRAIN_SECONDS: '5',
    // Tests run beside each other: functions with a low priority would wait for the other tests.
    SLUICE_ACCOUNT_CPU_PERCENT: '100',
    // Most tests call no function, and each spare process costs as much as half a start of the service.
    SLUICE_SPARE_PROCESSES: '0',
    SLUICE_ALLOW_PRIVATE_CIDRS: '127.0.0.0/8,::1/128',
    SLUICE_ADMIN_EMAIL: 'admin@example.com',
    SLUICE_ADMIN_PASSWORD: 'a long enough password',
    SLUICE_API_KEY: key,
    ...env,
  });
  const start = () =>
    startApp(config, {
      log: pino({ level: 'debug' }, sink),
      version: '0.0.0-test',
      consoleFolder: consoleFolder ?? join(dataDir, 'no-console'),
      testing: {
        // Shared by the machine, because creating it takes seconds.
        languageCache: LANGUAGE_CACHE,
        knownHomes: KNOWN_HOMES,
        strictReplies: true,
        breaker: { failures: 5, firstPauseMs: 50, longestPauseMs: 400 },
        lookUp: onlyThisMachine,
        // All browsers of a test have one address, and a fast machine sends more than people at one address.
        addressRate: { perSecond: 1000, burst: 1000 },
        ...testing,
      },
    });
  let app = await start();
  const url = `http://127.0.0.1:${port}`;
  const account = await app.services.db.selectFrom('accounts').select('account_id').executeTakeFirstOrThrow();

  return {
    url,
    port,
    key,
    account_id: account.account_id,
    dataDir: config.dataDir,
    database,
    databaseUrl,
    get services() {
      return app.services;
    },
    logged: () => logged,
    async api<T>(method: string, path: string, body?: unknown, call: Call = {}) {
      const answer = await request<T>(`${url}/api${path}`, method, body, { key, ...call });
      checkReply(method, path, answer);
      return answer;
    },
    secondAccount: () => addAccount(app.services.db, 'Another account'),
    async restart() {
      await app.stop();
      app = await start();
    },
    async stop() {
      await app.stop();
      await asAdmin(`drop database ${database} with (force)`);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Only loopback names resolve, so that tests never send credentials to a real provider. */
const onlyThisMachine: LookupFunction = (host, options, done) => {
  if (/(?:^|\.)localhost\.?$/i.test(host)) return lookup(host, options, done);
  done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' }), []);
};

async function request<T>(address: string, method: string, body: unknown, call: Call): Promise<Answer<T>> {
  const headers: Record<string, string> = { ...call.headers };
  if (call.key) headers['authorization'] = `Bearer ${call.key}`;
  if (body !== undefined) headers['content-type'] ??= 'application/json';
  const response = await fetch(address, {
    method,
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parsed(text) as T };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Ends all connections to a database, and refuses new ones until the returned function is called; at the latest until
 * the test is over, because a service cannot stop without its database.
 */
export async function closeDatabase(name: string): Promise<() => Promise<void>> {
  const reopen = async () => void (await asAdmin(`alter database ${name} allow_connections true`));
  onTestFinished(reopen);
  await asAdmin(`alter database ${name} allow_connections false`);
  const [refusing] = await asAdmin<{ since: string }>('select clock_timestamp()::text as since');
  // One that was being opened may have been let in, and has no database yet.
  const left = () =>
    asAdmin(`select case when datname = '${name}' then pg_terminate_backend(pid) end from pg_stat_activity
      where datname = '${name}'
        or (datname is null and backend_type = 'client backend' and backend_start < '${refusing?.since}')`);
  await expect.poll(left).toEqual([]);
  return reopen;
}

async function asAdmin<Row extends object>(statement: string): Promise<Row[]> {
  const client = new Client({ connectionString: inject('databaseUrl').replace('{database}', 'postgres') });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}
