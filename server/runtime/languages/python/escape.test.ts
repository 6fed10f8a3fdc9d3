import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBait } from '../../escape/escape-bait.ts';
import { denoBinary } from '../../fleet/deno-binary.ts';
import { INTERPRETER_FILE } from '../../fleet/frames.ts';
import { openHome } from '../../fleet/home.ts';
import { languageFolder } from '../../fleet/sandbox-home.ts';
import type { FunctionSpec } from '../../function-spec.ts';
import type { Runtime } from '../../runtime.ts';
import { call, LANGUAGE_CACHE, openRuntime, pythonSpec, SANDBOXES } from '../../testing.ts';
import { openInterpreters } from '../languages.ts';
import { python } from '../python.ts';
import { byJavaScript, byPython, escapeSource } from './escape-probes.ts';

const MAKING_MS = 120_000;
const bait = await openBait();
afterAll(() => bait.close());

const all = () => [...byJavaScript(bait), ...byPython(bait)];

const DENIED =
  /Requires .* access|access denied|is not a public address|NotCapable|PermissionDenied|EACCES|refused|Command failed|import access|No such file|not support|start new thread|not (implemented|supported|available)|No known package|Unable to open|cannot open|could not load|timed out|unreachable|no attribute|only works in Node/is;

describe.each(SANDBOXES)('with %s', (sandbox) => {
  let runtime: Runtime;
  let spec: FunctionSpec;
  beforeAll(async () => {
    runtime = await openRuntime({ sandbox, languageCache: LANGUAGE_CACHE });
    spec = pythonSpec(escapeSource(all()));
    await call(runtime, spec, { path: '/0', timeoutMs: MAKING_MS });
  }, MAKING_MS);
  afterAll(() => runtime.close());

  test.each(all().map(([name], index) => [name, index] as const))('%s fails', async (_, index) => {
    bait.hits.length = 0;
    const { status, body, finish } = await call(runtime, spec, { path: `/${index}` });
    expect(status === 200 ? JSON.parse(body) : finish).toEqual({ refused: expect.stringMatching(DENIED) });
    expect(bait.hits).toEqual([]);
  });
});

test(
  'without a sandbox every JavaScript probe succeeds',
  async () => {
    const home = await openHome('permissions');
    try {
      await openInterpreters(home, LANGUAGE_CACHE, pino({ level: 'silent' }))
        .get(python)
        ?.ready();
      const folder = languageFolder(home, python);
      const tries = byJavaScript(bait);
      const file = path.join(bait.folder, 'naked.mjs');
      writeFileSync(
        file,
        `import { open } from 'file://${folder}/${INTERPRETER_FILE}';
        const scope = { runId: '', gatewayToken: '' };
        const tools = { currentScope: () => scope, within: (_, work) => work(), say: () => {}, exit: Deno.exit, responseOf: (it) => it.body };
        const python = await open(${JSON.stringify(folder)}, tools, false);
        const code = ${JSON.stringify(JSON.stringify({ 'main.py': escapeSource(tries) }))};
        const handle = await python.load({ code, handler: 'main.handler', env: {}, label: '' });
        for (let n = 0; n < ${tries.length}; n++)
          console.log(await handle(new Request('http://x/'), { method: 'GET', host: '', path: '/' + n, headers: [] }, {}));
        Deno.exit(0);`,
      );
      const { stdout } = await promisify(execFile)(denoBinary(), ['run', '-A', '--quiet', '--no-config', file], {
        env: { ...process.env, NO_PROXY: '*', DENO_DIR: path.join(bait.folder, 'cache') },
      });
      const outcomes = stdout.trim().split('\n');
      expect(outcomes).toHaveLength(tries.length);
      expect(
        tries.flatMap(([name], index) => (outcomes[index]?.startsWith('{"got"') ? [] : [name, outcomes[index]])),
      ).toEqual([]);
    } finally {
      await home.remove();
    }
  },
  MAKING_MS,
);
