/** Builds the code of a version in its language. */
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { Build, Source } from './build/build.ts';
import type { Builder } from './build/builder.ts';
import type { Language, Output, Program } from './languages/language.ts';
import type { Runtime } from './runtime.ts';

type Invoking = Pick<Runtime, 'invoke' | 'retire'>;

const RUN_MS = 30_000;

/** Rejects with BuildError, TooManyBuilds, or AtCapacity where a language builds in a sandboxed process. */
export function buildCode(
  { builder, runtime }: { builder: Builder; runtime: Invoking },
  account_id: string,
  language: Language,
  source: Source,
): Promise<Build> {
  return language.build(source, {
    compile: (code) => builder.build(account_id, code),
    inTurn: (work) => builder.inTurn(account_id, work),
    run: (program, input) => runOnce(runtime, { account_id, language }, program, input),
  });
}

/** Each build has a separate process: code that crashes it fails no build of another account. */
async function runOnce(
  runtime: Invoking,
  { account_id, language }: { account_id: string; language: Language },
  program: Program,
  input: string,
): Promise<Output> {
  const key = `${language.name}-build/${randomUUID()}`;
  // The default network policy of functions, which spare processes have too.
  const spec = {
    ...program,
    account_id,
    key,
    language,
    label: 'build',
    env: {},
    networkPolicy: 'ALLOW_ALL',
    allowedHosts: [],
  } as const;
  const answer = await runtime.invoke(
    spec,
    {
      method: 'POST',
      scheme: 'http',
      host: 'build',
      path: '/',
      protocol: 'HTTP/1.1',
      source_ip: '',
      headers: [],
      body: Buffer.from(input),
    },
    { runId: randomUUID(), timeoutMs: RUN_MS, onLog: () => undefined },
  );
  const body = await text(answer.body);
  const { error } = await answer.finished;
  // Builds are rare, and an idle process uses memory.
  runtime.retire(key);
  return { body, error };
}
