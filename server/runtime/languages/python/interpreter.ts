/**
 * Prepares Python for the sandbox, once per service, when the first Python function is published or called. The files
 * of Pyodide (from its npm package; nothing is downloaded) and ours are copied to one folder that processes can read
 * (home.ts), with a memory snapshot of the interpreter that includes the imports of host.py. With it, a start takes a
 * fifth of the time. A sandboxed process creates the snapshot once per machine. It is stored in the data folder under
 * the digest of its content and of everything it depends on. Without a usable snapshot, processes start slowly, and the
 * log says so.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { bundleOwn } from '../../build/bundle.ts';
import { launch } from '../../fleet/command.ts';
import { INTERPRETER_FILE, SNAPSHOT, WARM } from '../../fleet/frames.ts';
import { languageFolder } from '../../fleet/sandbox-home.ts';
import type { Interpreter, InterpreterSetting } from '../language.ts';

const HOST_FILES = ['host.py', 'fetching.py'];
const PACKAGE = import.meta.resolve('pyodide/package.json');
const MAKING_MS = 120_000;
/**
 * The engine runs as if in a browser's worker: its code for Node's modules would not work here. Immediate callbacks run
 * in the next turn instead of a timer of 1 ms.
 */
const AROUND = [
  'const Deno=undefined,process=undefined,MessageChannel=undefined,importScripts=()=>{},self={location:{href:"blob:"}},' +
    'setTimeout=(work,ms)=>ms>0?globalThis.setTimeout(work,ms):globalThis.setImmediate(work);',
  '\nexport default _createPyodideModule;\n',
] as const;

export function createInterpreter(setting: InterpreterSetting): Interpreter {
  const { cacheDir, log } = setting;
  const stop = new AbortController();
  let made: Promise<void> | undefined;
  const ready = () => {
    made ??= prepare(setting, stop.signal).catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
  return {
    ready,
    async prepare() {
      // A snapshot in the cache shows that Python was used before.
      const names = await readdir(cacheDir).catch(() => []);
      if (!names.some((name) => name.endsWith('.snapshot'))) return;
      await ready().catch((error: unknown) => {
        if (!stop.signal.aborted) log.warn({ err: error }, 'runtime: Python could not be prepared');
      });
    },
    async close() {
      stop.abort();
      await made?.catch(() => undefined);
    },
  };
}

async function prepare(setting: InterpreterSetting, stop: AbortSignal): Promise<void> {
  const { language, home, cacheDir, log } = setting;
  const folder = languageFolder(home, language);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o711 });
  await chmod(folder, 0o711);
  const put = async (name: string, data: string | Uint8Array) => {
    await writeFile(path.join(folder, name), data);
    await chmod(path.join(folder, name), 0o444);
  };
  const parts = await readParts();
  const digest = createHash('sha256');
  for (const [name, data] of Object.entries(parts)) {
    await put(name, data);
    digest.update(name).update(data);
  }
  const buildId = digest.digest('hex');
  await put('build-id', buildId);
  try {
    await put('snapshot', (await kept(cacheDir, buildId)) ?? (await make(setting, buildId, stop)));
    await runPython(setting, WARM, stop);
  } catch (error) {
    if (stop.aborted) throw error;
    // Leftovers of this attempt must not affect the next one.
    await clear(cacheDir).catch(() => undefined);
    log.warn({ err: error }, 'runtime: Python snapshot unusable, processes start slowly without it');
    await rm(path.join(folder, 'snapshot'), { force: true });
    await runPython(setting, WARM, stop);
  }
}

/** The files of the folder, except the snapshot, which depends on them. */
async function readParts(): Promise<Record<string, string | Uint8Array>> {
  const read = (name: string) => readFile(new URL(name, PACKAGE));
  const host: Record<string, string> = {};
  for (const name of HOST_FILES) host[name] = await readFile(new URL(`./${name}`, import.meta.url), 'utf8');
  const bundle = await bundleOwn(new URL('./open-python.ts', import.meta.url));
  const { version }: { version: string } = JSON.parse((await read('package.json')).toString());
  return {
    version,
    'engine.mjs': AROUND[0] + (await read('pyodide.asm.js')).toString() + AROUND[1],
    'pyodide.asm.wasm': await read('pyodide.asm.wasm'),
    'python_stdlib.zip': await read('python_stdlib.zip'),
    [INTERPRETER_FILE]: bundle,
    'host.json': JSON.stringify(host),
  };
}

const digestOf = (data: Uint8Array) => createHash('sha256').update(data).digest('hex').slice(0, 32);
const nameOf = (buildId: string, data: Uint8Array) => `${buildId.slice(0, 32)}-${digestOf(data)}.snapshot`;

/** The existing snapshot, if it is intact. */
async function kept(cacheDir: string, buildId: string): Promise<Uint8Array | undefined> {
  for (const name of await readdir(cacheDir).catch(() => [])) {
    if (!name.startsWith(buildId.slice(0, 32)) || !name.endsWith('.snapshot')) continue;
    const data = await readFile(path.join(cacheDir, name)).catch(() => undefined);
    if (data && nameOf(buildId, data) === name) return data;
  }
  return undefined;
}

async function make(setting: InterpreterSetting, buildId: string, stop: AbortSignal): Promise<Uint8Array> {
  const { cacheDir, log } = setting;
  const startedAt = performance.now();
  const data = await runPython(setting, SNAPSHOT, stop);
  if (data.length === 0) throw new Error('The process that makes the snapshot of Python wrote nothing.');
  const name = nameOf(buildId, data);
  log.info({ bytes: data.length, ms: Math.round(performance.now() - startedAt) }, 'runtime: Python snapshot created');
  await keep(cacheDir, name, data).catch((error: unknown) =>
    log.warn(
      { err: error, cacheDir },
      'runtime: Python snapshot could not be stored, will be created again at the next start',
    ),
  );
  return data;
}

/** Stored under its final name only when complete. Snapshots of other builds are removed. */
async function keep(cacheDir: string, name: string, data: Uint8Array): Promise<void> {
  await mkdir(cacheDir, { recursive: true, mode: 0o700 });
  const begun = path.join(cacheDir, `${name}.${process.pid}.tmp`);
  await writeFile(begun, data);
  await rename(begun, path.join(cacheDir, name));
  await clear(cacheDir, name);
}

async function clear(cacheDir: string, except?: string): Promise<void> {
  for (const name of await readdir(cacheDir))
    if (name.endsWith('.snapshot') && name !== except) await rm(path.join(cacheDir, name), { force: true });
}

/** A sandboxed process that ends when its interpreter has opened. Resolves with its output; rejects with the cause. */
async function runPython(
  { home, language }: InterpreterSetting,
  name: typeof WARM | typeof SNAPSHOT,
  stop: AbortSignal,
): Promise<Uint8Array> {
  stop.throwIfAborted();
  const { child } = launch(home, { policy: 'DENY_ALL', allowedHosts: [], language }, name);
  const kill = () => child.kill('SIGKILL');
  const late = setTimeout(kill, MAKING_MS);
  stop.addEventListener('abort', kill);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-2000);
  });
  try {
    const [data, [code, signal]] = await Promise.all([buffer(child.stdout), once(child, 'close')]);
    if (code !== 0) throw new Error(`Python does not start in the sandbox: ${said.trim() || `exit ${code ?? signal}`}`);
    return data;
  } finally {
    clearTimeout(late);
    stop.removeEventListener('abort', kill);
  }
}
