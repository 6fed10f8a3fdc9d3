/**
 * The escape suite: no probe succeeds in any sandbox of this machine. Without a sandbox all of them do, so that a
 * broken probe does not count as contained.
 */
import { execFile } from 'node:child_process';
import dns from 'node:dns';
import { writeFileSync } from 'node:fs';
import type { LookupFunction } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { denoBinary } from '../fleet/deno-binary.ts';
import type { FunctionSpec } from '../function-spec.ts';
import type { Runtime } from '../runtime.ts';
import { call, openRuntime, SANDBOXES, specOf } from '../testing.ts';
import { openBait } from './escape-bait.ts';
import { elsewhere, elsewhereByIpv6, probes } from './escape-probes.ts';

const bait = await openBait();
afterAll(() => bait.close());

type Outcome = { got?: unknown; refused?: string };
/** One function with every probe, selected by path; it returns the result. */
const source = (all: [string, string][]) => `
  const tries = [${all.map(([, expression]) => `async () => ${expression}`).join(',\n')}];
  export const attempt = async (index) => {
    try { return { got: (await tries[index]()) ?? null }; }
    catch (error) { return { refused: error?.name + ': ' + error?.message + ' ' + (error?.cause ?? '') }; }
  };`;

const DENIED =
  /Requires .* access|access denied|Worker is not defined|is not a public address|allocation failed|unsuccessful tunnel|not available|PermissionDenied|EACCES|NotCapable|refused|Command failed|Cannot read properties of undefined|EPERM|--no-remote|import access|OutOfMemory|ENOTSUP|is not (supported|implemented)/s;

const MIXED = 'mixed.test';

const POLICIES = ['ALLOW_ALL', 'DENY_ALL'] as const;
const KINDS = SANDBOXES.flatMap((sandbox) => POLICIES.map((policy) => [sandbox, policy] as const));

/** DENY_ALL is the network policy of shadows and bisects, whatever that of the function is. */
describe.each(KINDS)('with %s and %s', (sandbox, networkPolicy) => {
  let runtime: Runtime;
  let spec: FunctionSpec;
  const all = () => [
    // The system's resolver does not know this name.
    ...probes({ ...bait, mixed: sandbox !== 'permissions' ? MIXED : bait.mixed }),
    ...elsewhere,
    ...(sandbox !== 'permissions' || networkPolicy === 'DENY_ALL' ? elsewhereByIpv6 : []),
  ];
  beforeAll(async () => {
    const lookUp: LookupFunction = (host, options, done) => {
      const here = { address: '127.0.0.1', family: 4 };
      if (host !== MIXED) return dns.lookup(host, options, done);
      options.all ? done(null, [{ address: '198.41.0.4', family: 4 }, here]) : done(null, here.address, 4);
    };
    runtime = await openRuntime({ sandbox, outside: { lookUp } });
    const files = {
      'probes.js': source(all()),
      'index.js': "import { attempt } from './probes.js'; export default ({ path }) => attempt(Number(path.slice(1)));",
    };
    spec = await specOf(files, { networkPolicy });
  });
  afterAll(() => runtime.close());

  test('the sandbox has the requested mode', () => expect(runtime.mode).toBe(sandbox));

  test.each(all().map(([name], index) => [name, index] as const))('%s fails', async (name, index) => {
    bait.hits.length = 0;
    const { status, body, finish } = await call(runtime, spec, { path: `/${index}` });
    const outcome: Outcome = status === 200 ? JSON.parse(body) : { refused: finish.error?.name ?? '' };
    expect(outcome).toEqual({ refused: expect.stringMatching(DENIED) });
    // Denied with an error message, not killed for the resources of a thread.
    if (/thread of Node/.test(name)) expect(outcome.refused).toMatch(/thread/i);
    expect(bait.hits).toEqual([]);
  });
});

test('without a sandbox every probe succeeds', async () => {
  const file = path.join(bait.folder, 'naked.mjs');
  const all = [...probes(bait), ...elsewhere, ...elsewhereByIpv6];
  writeFileSync(
    file,
    `${source(all)}\nfor (let n = 0; n < ${all.length}; n++) Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(await attempt(n)) + '\\n'));\nDeno.exit(0);`,
  );
  const { stdout } = await promisify(execFile)(denoBinary(), ['run', '-A', '--quiet', '--no-config', file], {
    // A report of the process names its working directory, wherever the tests run.
    cwd: bait.folder,
    env: { ...process.env, NO_PROXY: '*', DENO_DIR: path.join(bait.folder, 'cache') },
    maxBuffer: 1 << 24,
  });
  const outcomes: Outcome[] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const certain = probes(bait).length;
  const broken = all.flatMap(([name], index) => {
    const outcome = outcomes[index] ?? {};
    const worked =
      'got' in outcome || (index >= certain && !DENIED.test(outcome.refused?.replace(/Connection refused/i, '') ?? ''));
    return worked ? [] : [{ name, ...outcome }];
  });
  expect(broken).toEqual([]);
});

test('the suite has at least 40 probes', () =>
  expect(probes(bait).length + elsewhere.length).toBeGreaterThanOrEqual(40));
