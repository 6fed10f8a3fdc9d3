/**
 * A version in Python, looked over before it is published: compiled (never run) by the same interpreter in the same
 * sandbox, its imports and its handler found. What is kept as its code are its files.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import type { Problem } from '../../../contract/errors.ts';
import { type Build, checkFiles, type Source } from '../build.ts';
import { BuildError, inFile } from '../build-error.ts';
import type { FunctionSpec, Runtime } from '../runtime.ts';

const CHECK_MS = 30_000;
const KEY = 'python-check/';
const NO_MAP = JSON.stringify({ version: 3, sources: [], names: [], mappings: '' });

const CHECKER: FunctionSpec = {
  key: `${KEY}1`,
  language: 'python',
  code: JSON.stringify({ 'main.py': readFileSync(new URL('./check.py', import.meta.url), 'utf8') }),
  map: NO_MAP,
  handler: 'main.handler',
  label: 'check',
  env: {},
  // As most functions have it: their spare processes serve.
  networkPolicy: 'ALLOW_ALL',
  allowedHosts: [],
};

type Verdict = { handler: string; entry: string } | { problems: Problem[] };

/** Checks a version, or throws a BuildError with every problem's file, line and column (1-based). */
export async function buildPython(runtime: Pick<Runtime, 'invoke' | 'retire'>, source: Source): Promise<Build> {
  const { files, handler } = source;
  checkFiles(files);
  const verdict = await check(runtime, JSON.stringify({ files, handler }));
  if ('problems' in verdict) throw new BuildError(verdict.problems);
  return { code: JSON.stringify(files), map: NO_MAP, entry: verdict.entry, handler: verdict.handler };
}

async function check(runtime: Pick<Runtime, 'invoke' | 'retire'>, asked: string): Promise<Verdict> {
  const answer = await runtime.invoke(
    CHECKER,
    {
      method: 'POST',
      scheme: 'http',
      host: 'check',
      path: '/',
      protocol: 'HTTP/1.1',
      source_ip: '',
      headers: [],
      body: Buffer.from(asked),
    },
    { runId: randomUUID(), timeoutMs: CHECK_MS, onLog: () => undefined },
  );
  const body = await text(answer.body);
  const { error } = await answer.finished;
  // Publishing is rare, and an interpreter that waits takes memory.
  runtime.retire(KEY);
  // that is no mistake of the code's
  if (error?.name === 'SandboxFailed') throw new Error(error.message);
  if (error) throw inFile('main.py', `The code can't be compiled: ${error.message}`);
  return JSON.parse(body) as Verdict;
}
