/** Runs functions in tests like the service does: built, called in the real sandbox, with log and outcome collected. */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import type { NetworkPolicy } from '../../contract/states.ts';
import { buildVersion } from './build/build.ts';
import type { KnownHomes } from './fleet/home.ts';
import type { SandboxMode } from './fleet/sandbox-home.ts';
import type { FunctionSpec } from './function-spec.ts';
import { javascript } from './languages/javascript.ts';
import { python } from './languages/python.ts';
import type { Registry } from './packages/registry.ts';
import type { LogLine } from './run-log.ts';
import { createRuntime, type Runtime, type RuntimeOptions } from './runtime.ts';
import type { Finish } from './watch-run.ts';

export const openRuntime = (options: Partial<RuntimeOptions> = {}): Promise<Runtime> =>
  createRuntime({ log: pino({ level: 'silent' }), sandbox: 'permissions', knownHomes: KNOWN_HOMES, ...options });

/**
 * The sandboxes of this machine; those that CI requires (such as "bwrap,namespaces") are included even if they are
 * missing.
 */
export const SANDBOXES: SandboxMode[] = sandboxesHere();

function sandboxesHere(): SandboxMode[] {
  const required = process.env['SLUICE_TEST_SANDBOX']?.split(',') ?? [];
  const bwrap = ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap'].find((file) => existsSync(file));
  const works = {
    permissions: true,
    bwrap: bwrap !== undefined && succeeds(bwrap, ['--ro-bind', '/', '/', '--unshare-all', 'true']),
    namespaces:
      process.platform === 'linux' && succeeds('unshare', ['-Urm', 'mount', '--bind', '/dev/null', '/dev/null']),
  };
  return (['permissions', 'bwrap', 'namespaces'] as const).filter((mode) => works[mode] || required.includes(mode));
}

function succeeds(program: string, args: string[]): boolean {
  return spawnSync(program, args).status === 0;
}

/** A temporary folder. */
export function tempFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

type Code = string | Record<string, string>;
type SpecOptions = {
  account_id?: string;
  key?: string;
  handler?: string;
  env?: Record<string, string>;
  networkPolicy?: NetworkPolicy;
  allowedHosts?: string[];
  registry?: Registry;
};

/** Each call has a new version, unless `key` is given. A string is the text of index.ts. */
export async function specOf(code: Code, options: SpecOptions = {}): Promise<FunctionSpec> {
  const files = typeof code === 'string' ? { 'index.ts': code } : code;
  const built = await buildVersion({ files, handler: options.handler }, options.registry);
  return {
    account_id: options.account_id ?? 'account',
    key: options.key ?? `${randomUUID()}/1/none`,
    language: javascript,
    code: built.code,
    map: built.map,
    handler: built.handler,
    label: 'hello',
    env: options.env ?? {},
    networkPolicy: options.networkPolicy ?? 'ALLOW_ALL',
    allowedHosts: options.allowedHosts ?? [],
  };
}

/** The cache of languages, such as the Python snapshot; the first test that needs it creates it. */
export const LANGUAGE_CACHE = path.join(tmpdir(), 'sluice-test-languages');

/** What the services and runtimes of this process remember of the machine. */
export const KNOWN_HOMES: KnownHomes = {
  folder: mkdtempSync(path.join(tmpdir(), 'sluice-test-homes-')),
  byKind: new Map(),
};
process.once('exit', () => rmSync(KNOWN_HOMES.folder, { recursive: true, force: true }));

/** A Python function with one file, main.py, which is not checked. */
export const pythonSpec = (source: string, options: Partial<FunctionSpec> = {}): FunctionSpec => ({
  account_id: 'account',
  key: `${randomUUID()}/1/none`,
  language: python,
  code: JSON.stringify({ 'main.py': source }),
  map: '{}',
  handler: 'main.handler',
  label: 'hello',
  env: {},
  networkPolicy: 'ALLOW_ALL',
  allowedHosts: [],
  ...options,
});

type CallOptions = {
  method?: string;
  path?: string;
  headers?: [string, string][];
  body?: Buffer | Readable;
  timeoutMs?: number;
  signal?: AbortSignal;
  runId?: string;
  onLine?: (line: LogLine) => void;
};

/** Starts a run; `lines` grows while it is in progress. */
export async function begin(runtime: Runtime, spec: FunctionSpec, call: CallOptions = {}) {
  const lines: LogLine[] = [];
  const answer = await runtime.invoke(
    spec,
    {
      method: call.method ?? 'GET',
      scheme: 'https',
      host: 'hello.fn.example.com',
      path: call.path ?? '/',
      protocol: 'HTTP/1.1',
      source_ip: '203.0.113.9',
      headers: call.headers ?? [],
      body: call.body ?? null,
    },
    {
      runId: call.runId ?? randomUUID(),
      timeoutMs: call.timeoutMs ?? 10_000,
      onLog: (line) => {
        lines.push(line);
        call.onLine?.(line);
      },
      ...(call.signal && { signal: call.signal }),
    },
  );
  return { answer, lines };
}

export type Called = {
  status: number;
  headers: Headers;
  body: string;
  finish: Finish;
  lines: LogLine[];
  said: string[];
};

/** A complete run: reads its response and waits for its end. */
export async function call(runtime: Runtime, spec: FunctionSpec, options: CallOptions = {}): Promise<Called> {
  const { answer, lines } = await begin(runtime, spec, options);
  const body = await text(answer.body);
  const finish = await answer.finished;
  const said = lines.map(({ message }) => message);
  return { status: answer.status, headers: new Headers(answer.headers), body, finish, lines, said };
}
