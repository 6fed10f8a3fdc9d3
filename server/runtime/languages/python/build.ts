/**
 * Checks a Python version before it is published: the same interpreter in the same sandbox compiles it without running
 * it, and finds its imports and its handler. The built code is the files.
 */
import { readFileSync } from 'node:fs';
import type { Problem } from '../../../../contract/errors.ts';
import { type Build, checkFiles, type Source } from '../../build/build.ts';
import { BuildError, inFile } from '../../build/build-error.ts';
import type { BuildTools, Program } from '../language.ts';

const NO_MAP = JSON.stringify({ version: 3, sources: [], names: [], mappings: '' });
const CHECKER: Program = {
  code: JSON.stringify({ 'main.py': readFileSync(new URL('./check.py', import.meta.url), 'utf8') }),
  map: NO_MAP,
  handler: 'main.handler',
};

type Verdict = { handler: string; entry: string } | { problems: Problem[] };

/** Checks a version, or throws a BuildError with file, line and column (1-based) of every problem. */
export async function buildPython(run: BuildTools['run'], source: Source): Promise<Build> {
  const { files, handler } = source;
  checkFiles(files);
  const verdict = await check(run, JSON.stringify({ files, handler }));
  if ('problems' in verdict) throw new BuildError(verdict.problems);
  return { code: JSON.stringify(files), map: NO_MAP, entry: verdict.entry, handler: verdict.handler };
}

async function check(run: BuildTools['run'], input: string): Promise<Verdict> {
  const { body, error } = await run(CHECKER, input);
  // Not an error in the code.
  if (error?.name === 'SandboxFailed') throw new Error(error.message);
  if (error) throw inFile('main.py', `The code can't be compiled: ${error.message}`);
  return JSON.parse(body) as Verdict;
}
