import { join } from 'node:path';
import type { Logger } from 'pino';
import { type Closable, opened } from '../lib/opened.ts';
import { type Builder, createBuilder } from './build/builder.ts';
import type { Sandbox } from './fleet/sandbox-home.ts';
import { createRegistry } from './packages/registry.ts';
import { createReachReader, type ReachReader } from './reach/reach.ts';
import { createRuntime, type Runtime } from './runtime.ts';

export type Execution = Closable & { runtime: Runtime; builder: Builder; reach: ReachReader };

export type ExecutionOptions = {
  log: Logger;
  dataDir: string;
  sandbox: Sandbox;
  npmRegistry: string;
  /** Where languages keep what is expensive to make; what tests share is not made ahead of its use. */
  languageCache?: string | undefined;
  /** The longest build, where it isn't the usual one. */
  buildMs?: number | undefined;
};

/** What builds and runs functions: the sandboxed processes, the npm packages, the builder and the reader of code. */
export function createExecution({
  log,
  dataDir,
  sandbox,
  npmRegistry,
  languageCache,
  buildMs,
}: ExecutionOptions): Promise<Execution> {
  return opened(async (onClose) => {
    const runtime = await createRuntime({ log, sandbox, languageCache: languageCache ?? dataDir });
    onClose(() => runtime.close());
    if (languageCache === undefined) void runtime.prepare();
    const registry = createRegistry(npmRegistry, join(dataDir, 'packages'));
    onClose(() => registry.close());
    const builder = createBuilder({ log, registry, buildMs });
    onClose(() => builder.close());
    return { runtime, builder, reach: createReachReader(builder) };
  });
}
