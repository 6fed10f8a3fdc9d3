/** The only reader of the environment. Every setting is described in docs/reference/operating.md. */
import { BlockList, isIP } from 'node:net';
import { availableParallelism, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { HOOK_BODY_MIB } from '../contract/limits.ts';
import { InstallationProvider } from '../contract/sign-in/identity-providers.ts';
import { emailAddress } from '../contract/text/mail-url.ts';
import type { Addresses } from './lib/addresses.ts';
import { ConfigError } from './lib/config-error.ts';
import type { Shares } from './lib/shares/shares.ts';
import type { RequestLogLevel, Settings, SmtpSettings } from './platform/context.ts';
import type { EgressRules } from './platform/egress/egress.ts';
import { readTracing, TRACING_SECRETS, type TracingSettings } from './platform/tracing/settings.ts';

export type Config = {
  host: string;
  port: number;
  /** Service processes, which share the cores of this machine. */
  processes: number;
  dataDir: string;
  databaseUrl: string | undefined;
  /** Connections to the database for requests and workers; a few others have a fixed number. */
  databasePool: number;
  addresses: Addresses;
  /** Hosts beside those of the URLs that the console and the API are served under. */
  allowedHosts: string[];
  /** Reverse proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: BlockList | undefined;
  requestsPerSecond: number;
  /** How long an app may take to begin its response, and to send nothing within it. */
  gateway: { answerSeconds: number; idleSeconds: number };
  /** Time for runs, responses and attempts in flight to finish after a signal to stop. */
  drainSeconds: number;
  /** Time after the signal in which requests are served while readiness fails. */
  lameDuckSeconds: number;
  retentionDays: number;
  /** Whether people may create accounts in the console. */
  newAccounts: boolean;
  /** Whether the Overview suggests what to try in the demo. */
  demo: boolean;
  /** Whether the console shows the API reference without a session. */
  publicReference: boolean;
  /** Whether browsers must use TLS for subdomains of the console's host, too. */
  hstsSubdomains: boolean;
  /** Limit of the body of a request to a webhook endpoint, in MiB. */
  hookBodyMib: number;
  /** Limit of the folder in which this node caches the code of functions, in MiB. */
  codeCacheMib: number;
  allowPrivateCidrs: string[];
  /** What the service may call on behalf of accounts. */
  egress: EgressRules;
  scanCommand: string[];
  /** Scheduled backups of the embedded database; undefined without SLUICE_BACKUP_DIR. */
  backups: Settings['backups'];
  codeTolerance: boolean;
  /** The mail server that sends email to destinations; undefined without SLUICE_SMTP_HOST. */
  smtp: SmtpSettings | undefined;
  /** Identity providers with which people sign in to any account. */
  identityProviders: readonly InstallationProvider[];
  /** The registry of the npm packages of functions. */
  npmRegistry: string;
  /** Isolation of functions: 'auto' uses a container if the machine allows one. */
  sandbox: 'auto' | 'bwrap' | 'namespaces' | 'permissions';
  /** Processes of functions that boot in advance, for each network policy in use. */
  spareProcesses: number;
  masterKey: string | undefined;
  first: { email: string | undefined; password: string | undefined; apiKey: string | undefined };
  logLevel: string;
  requestLogLevel: RequestLogLevel;
  /** `held`: the service acts only once it is released. */
  start: 'normal' | 'held';
  metrics: boolean;
  /** The collector of spans; undefined without an endpoint. */
  tracing: TracingSettings | undefined;
  /** How much of this node one account may use. */
  shares: Shares;
};

export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const port = wholeNumber(env, 'SLUICE_PORT', 4400, 0, 65_535);
  const host = env['SLUICE_HOST'] || '127.0.0.1';
  const console_url = trimSlash(address(env, 'SLUICE_CONSOLE_URL', `http://localhost:${port}`));
  const functions_url = env['SLUICE_FUNCTIONS_SCHEME'] || 'http';
  if (!/^https?$/.test(functions_url)) throw new ConfigError('SLUICE_FUNCTIONS_SCHEME: expected http or https');
  return {
    host,
    port,
    processes: processes(env),
    dataDir: resolve(env['SLUICE_DATA_DIR'] || 'data'),
    databaseUrl: env['DATABASE_URL'] || undefined,
    addresses: {
      console_url,
      base_url: trimSlash(address(env, 'SLUICE_BASE_URL', `${console_url}/api`)),
      connect_url: trimSlash(address(env, 'SLUICE_CONNECT_URL', `${console_url}/connect`)),
      hooks_url: trimSlash(address(env, 'SLUICE_HOOKS_URL', `${console_url}/hooks`)),
      functions_domain: domain(env, 'SLUICE_FUNCTIONS_DOMAIN', `fn.localhost:${port}`),
      functions_scheme: functions_url,
      gateway_domain: domain(env, 'SLUICE_GATEWAY_DOMAIN', `gw.localhost:${port}`),
    },
    allowedHosts: hosts(env, 'SLUICE_ALLOWED_HOSTS'),
    trustedProxies: machines(env, 'SLUICE_TRUSTED_PROXIES'),
    requestsPerSecond: wholeNumber(env, 'SLUICE_RATE_LIMIT', 10, 1, 1_000_000),
    gateway: {
      answerSeconds: wholeNumber(env, 'SLUICE_GATEWAY_ANSWER_TIMEOUT', 300, 1, 3600),
      idleSeconds: wholeNumber(env, 'SLUICE_GATEWAY_IDLE_TIMEOUT', 300, 1, 86_400),
    },
    drainSeconds: wholeNumber(env, 'SLUICE_DRAIN_SECONDS', 30, 0, 3600),
    lameDuckSeconds: wholeNumber(env, 'SLUICE_LAME_DUCK_SECONDS', 0, 0, 3600),
    retentionDays: wholeNumber(env, 'SLUICE_RETENTION_DAYS', 30, 1, 3650),
    hookBodyMib: wholeNumber(env, 'SLUICE_HOOK_BODY_MIB', HOOK_BODY_MIB.default, 1, HOOK_BODY_MIB.max),
    databasePool: wholeNumber(env, 'SLUICE_DATABASE_POOL', 12, 4, 1000),
    codeCacheMib: wholeNumber(env, 'SLUICE_CODE_CACHE_MIB', 1024, 16, 1024 ** 2),
    newAccounts: oneOf(env, 'SLUICE_NEW_ACCOUNTS', ['on', 'off'], 'off') === 'on',
    demo: oneOf(env, 'SLUICE_DEMO', ['on', 'off'], 'off') === 'on',
    publicReference: oneOf(env, 'SLUICE_API_REFERENCE', ['signed-in', 'public'], 'signed-in') === 'public',
    hstsSubdomains: oneOf(env, 'SLUICE_HSTS_SUBDOMAINS', ['on', 'off'], 'off') === 'on',
    allowPrivateCidrs: cidrs(env, 'SLUICE_ALLOW_PRIVATE_CIDRS'),
    egress: {
      hosts: env['SLUICE_EGRESS_HOSTS'] ? hosts(env, 'SLUICE_EGRESS_HOSTS', true) : null,
      tlsOnly: oneOf(env, 'SLUICE_EGRESS_TLS', ['required', 'optional'], 'optional') === 'required',
    },
    backups: backups(env),
    scanCommand: (env['SLUICE_SCAN_COMMAND'] ?? '').split(/\s+/).filter(Boolean),
    codeTolerance: oneOf(env, 'SLUICE_CODE_TOLERANCE', ['on', 'off'], 'on') === 'on',
    smtp: smtp(env),
    identityProviders: identityProviders(env),
    npmRegistry: address(env, 'SLUICE_NPM_REGISTRY', 'https://registry.npmjs.org'),
    sandbox: oneOf(env, 'SLUICE_SANDBOX', ['auto', 'bwrap', 'namespaces', 'permissions'], 'auto'),
    spareProcesses: wholeNumber(env, 'SLUICE_SPARE_PROCESSES', 2, 0, 20),
    masterKey: env['SLUICE_MASTER_KEY'] || undefined,
    first: {
      email: env['SLUICE_ADMIN_EMAIL'] || undefined,
      password: env['SLUICE_ADMIN_PASSWORD'] || undefined,
      apiKey: env['SLUICE_API_KEY'] || undefined,
    },
    logLevel: oneOf(env, 'SLUICE_LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
    requestLogLevel: oneOf(env, 'SLUICE_REQUEST_LOG_LEVEL', ['info', 'debug', 'trace'], 'debug'),
    start: oneOf(env, 'SLUICE_START', ['normal', 'held'], 'normal'),
    metrics: oneOf(env, 'SLUICE_METRICS', ['on', 'off'], 'off') === 'on',
    tracing: readTracing(env),
    shares: shares(env),
  };
}

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

/** More would need more connections than the embedded database has. */
const EMBEDDED_PROCESSES = 4;

/**
 * By default one for every two cores, as database and functions need the others, and for each gigabyte of memory. Only
 * Linux distributes connections among them.
 */
function processes(env: Env): number {
  const name = 'SLUICE_PROCESSES';
  const most = env['DATABASE_URL'] ? 64 : EMBEDDED_PROCESSES;
  const isAutomatic = (env[name] || 'auto') === 'auto';
  const automatic = Math.min(most, Math.floor(availableParallelism() / 2), Math.floor(memoryBytes() / GIB));
  if (isAutomatic) return process.platform === 'linux' ? Math.max(1, automatic) : 1;
  if (process.platform !== 'linux' && env[name] !== '1')
    throw new ConfigError(`${name}: expected 1, as this is not Linux`);
  const count = Number(env[name]);
  if (Number.isInteger(count) && count >= 1 && count <= most) return count;
  const why = env['DATABASE_URL'] ? '' : '; more need a database at DATABASE_URL';
  throw new ConfigError(`${name}: expected auto or a whole number from 1 to ${most}${why}`);
}
/** 128 MiB of heap, or 160 MiB of Python's memory, and what the program itself needs. */
const LEAST_PROCESS_MIB = 320;

function shares(env: Env): Shares {
  const processes = wholeNumber(env, 'SLUICE_FUNCTION_PROCESSES', 100, 1, 10_000);
  const processMib = wholeNumber(env, 'SLUICE_FUNCTION_MEMORY_MIB', 384, LEAST_PROCESS_MIB, 1024);
  const halfMib = Math.max(processMib, Math.floor(memoryBytes() / MIB / 2));
  const hookRate = wholeNumber(env, 'SLUICE_HOOK_RATE', 500, 1, 1_000_000);
  const threeQuarters = Math.max(1, Math.floor(processes * 0.75));
  return {
    processes,
    accountProcesses: wholeNumber(env, 'SLUICE_ACCOUNT_PROCESSES', threeQuarters, 1, 10_000),
    accountRuns: wholeNumber(env, 'SLUICE_ACCOUNT_RUNS', 500, 1, 100_000),
    processBytes: processMib * MIB,
    accountBytes: wholeNumber(env, 'SLUICE_ACCOUNT_MEMORY_MIB', halfMib, processMib, 1024 ** 2) * MIB,
    accountCpu: wholeNumber(env, 'SLUICE_ACCOUNT_CPU_PERCENT', 25, 1, 100) / 100,
    accountOutput: wholeNumber(env, 'SLUICE_ACCOUNT_OUTPUT_MIB', 8, 1, 1024) * MIB,
    accountDeploys: wholeNumber(env, 'SLUICE_ACCOUNT_DEPLOYS', 32, 1, 1000),
    accountSearches: wholeNumber(env, 'SLUICE_ACCOUNT_SEARCHES', 20, 1, 1000),
    accountStreams: wholeNumber(env, 'SLUICE_ACCOUNT_STREAMS', 50, 1, 10_000),
    hookRate,
    accountHookRate: wholeNumber(env, 'SLUICE_ACCOUNT_HOOK_RATE', 2 * hookRate, 1, 1_000_000),
  };
}

/** Memory of this machine, or of its container. */
function memoryBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

const SECRETS = [
  'DATABASE_URL',
  'SLUICE_MASTER_KEY',
  'SLUICE_ADMIN_PASSWORD',
  'SLUICE_API_KEY',
  'SLUICE_SMTP_PASSWORD',
  'SLUICE_OIDC_PROVIDERS',
  ...TRACING_SECRETS,
];
/** Removes secrets from the environment, so that no child process inherits them. */
export function removeSecrets(env: Env = process.env): void {
  for (const name of SECRETS) delete env[name];
}

type Env = Record<string, string | undefined>;

function wholeNumber(env: Env, name: string, fallback: number, min: number, max: number): number {
  const text = env[name];
  if (!text) return fallback;
  const n = Number(text);
  if (!Number.isInteger(n) || n < min || n > max)
    throw new ConfigError(`${name}: expected a whole number from ${min} to ${max}`);
  return n;
}

function oneOf<Word extends string>(env: Env, name: string, words: readonly Word[], fallback: Word): Word {
  const text = env[name] || fallback;
  const found = words.find((word) => word === text);
  if (found === undefined) throw new ConfigError(`${name}: expected one of ${words.join(', ')}`);
  return found;
}

function address(env: Env, name: string, fallback: string): string {
  const text = env[name] || fallback;
  if (!URL.canParse(text) || !/^https?:/.test(text))
    throw new ConfigError(`${name}: expected an absolute http or https URL`);
  return text;
}

function domain(env: Env, name: string, fallback: string): string {
  const text = env[name] || fallback;
  if (!/^[a-z0-9.-]+(:\d+)?$/i.test(text))
    throw new ConfigError(`${name}: expected a host name, with a port if it is not the default port`);
  return text.toLowerCase();
}

function listOf(env: Env, name: string): string[] {
  return (env[name] || '')
    .split(',')
    .map((text) => text.trim())
    .filter(Boolean);
}

/** `withWildcards`: also *.example.com. */
function hosts(env: Env, name: string, withWildcards = false): string[] {
  const list = listOf(env, name);
  const examples = withWildcards ? 'api.example.com, *.example.com' : 'sluice.internal, 10.0.0.5:4400';
  for (const text of list) {
    const host = withWildcards ? text.replace(/^\*\./, '') : text;
    if (!/^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.test(host))
      throw new ConfigError(`${name}: expected host names such as ${examples}, got ${text}`);
  }
  return list;
}

function machines(env: Env, name: string): BlockList | undefined {
  const named = listOf(env, name);
  if (named.length === 0) return undefined;
  const list = new BlockList();
  for (const text of named) {
    const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
    const longest = isIP(address) === 6 ? 128 : 32;
    if (isIP(address) === 0 || Number(bits ?? longest) > longest)
      throw new ConfigError(`${name}: expected IP addresses and ranges such as 10.0.0.5, 10.0.0.0/8, got ${text}`);
    list.addSubnet(address, Number(bits ?? longest), longest === 128 ? 'ipv6' : 'ipv4');
  }
  return list;
}

function cidrs(env: Env, name: string): string[] {
  const list = listOf(env, name);
  for (const text of list) {
    if (!/^[0-9a-fA-F.:]+\/\d{1,3}$/.test(text))
      throw new ConfigError(`${name}: expected IP address ranges such as 10.0.0.0/8, got ${text}`);
  }
  return list;
}

function backups(env: Env): Settings['backups'] {
  const folder = env['SLUICE_BACKUP_DIR'];
  const everyHours = wholeNumber(env, 'SLUICE_BACKUP_HOURS', 24, 1, 720);
  const keep = wholeNumber(env, 'SLUICE_BACKUP_KEEP', 7, 1, 1000);
  if (!folder) return undefined;
  if (env['DATABASE_URL'])
    throw new ConfigError(
      'SLUICE_BACKUP_DIR: expected no DATABASE_URL beside it; back up your own server with its tools',
    );
  return { folder: resolve(folder), everyHours, keep };
}

/** A JSON array; see docs/reference/operating.md. */
function identityProviders(env: Env): InstallationProvider[] {
  const name = 'SLUICE_OIDC_PROVIDERS';
  const text = env[name];
  if (!text) return [];
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw new ConfigError(`${name}: expected a JSON array of identity providers`);
  }
  const read = InstallationProvider.array().safeParse(given);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new ConfigError([name, ...(issue?.path ?? []).map(String), issue?.message].join(': '));
  }
  const ids = read.data.map(({ id }) => id);
  const twice = ids.find((id, i) => ids.indexOf(id) !== i);
  if (twice !== undefined) throw new ConfigError(`${name}: expected different ids, got ${twice} twice`);
  return read.data;
}

const SMTP_TLS = ['starttls', 'implicit', 'none'] as const;
const SMTP_PORTS: Record<(typeof SMTP_TLS)[number], number> = { starttls: 587, implicit: 465, none: 25 };

function smtp(env: Env): SmtpSettings | undefined {
  const host = env['SLUICE_SMTP_HOST'];
  if (!host) return undefined;
  if (!/^[a-z0-9._-]{1,253}$/i.test(host) && isIP(host) === 0)
    throw new ConfigError('SLUICE_SMTP_HOST: expected a host name or an IP address; SLUICE_SMTP_PORT has the port');
  const tls = oneOf(env, 'SLUICE_SMTP_TLS', SMTP_TLS, 'starttls');
  const user = env['SLUICE_SMTP_USER'] || undefined;
  const password = env['SLUICE_SMTP_PASSWORD'] || undefined;
  if ((user === undefined) !== (password === undefined))
    throw new ConfigError('SLUICE_SMTP_USER, SLUICE_SMTP_PASSWORD: expected both or neither');
  const given = env['SLUICE_SMTP_FROM'] ?? '';
  const [, name = '', address = given] = /^([^<>\u0000-\u001f\u007f]*)<([^<>]*)>$/.exec(given) ?? [];
  const from = emailAddress(address);
  if (from === undefined)
    throw new ConfigError('SLUICE_SMTP_FROM: expected an email address such as sluice@example.com');
  return {
    host,
    port: wholeNumber(env, 'SLUICE_SMTP_PORT', SMTP_PORTS[tls], 1, 65_535),
    tls,
    auth: user === undefined || password === undefined ? undefined : { user, password },
    from: { name: name.trim() || 'Sluice', address: from },
  };
}

const trimSlash = (text: string) => text.replace(/\/+$/, '');
