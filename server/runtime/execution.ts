import { join } from 'node:path';
import type { Logger } from 'pino';
import { type Closable, opened } from '../lib/opened.ts';
import type { Shares } from '../lib/shares/shares.ts';
import type { EgressRules } from '../platform/egress/egress.ts';
import { type Builder, createBuilder } from './build/builder.ts';
import type { KnownHomes } from './fleet/home.ts';
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
  shares: Shares;
  egress: Pick<EgressRules, 'tlsOnly'>;
  /** Folder in which languages store what is expensive to create; tests share one, and prepare nothing in advance. */
  languageCache?: string | undefined;
  /** For tests: what the runtimes of this process remember of the machine. */
  knownHomes?: KnownHomes | undefined;
  /** For tests: where programs for containers are looked up. */
  programFolders?: string[] | undefined;
  /** Processes of functions that boot in advance, for each network policy in use. */
  spareProcesses: number;
  /** Overrides the time limit of a build. */
  buildMs?: number | undefined;
};

/**
 * Everything that builds and runs functions: the sandboxed processes, the npm packages, the builder and the code
 * reader.
 */
export function createExecution({
  log,
  dataDir,
  sandbox,
  npmRegistry,
  shares,
  egress,
  languageCache,
  knownHomes,
  programFolders,
  spareProcesses,
  buildMs,
}: ExecutionOptions): Promise<Execution> {
  return opened(async (onClose) => {
    const runtime = await createRuntime({
      log,
      sandbox,
      shares,
      programFolders,
      knownHomes,
      spares: spareProcesses,
      outside: { tlsOnly: egress.tlsOnly },
      languageCache: languageCache ?? dataDir,
    });
    onClose(() => runtime.close());
    if (languageCache === undefined) void runtime.prepare();
    const registry = createRegistry(npmRegistry, join(dataDir, 'packages'));
    onClose(() => registry.close());
    const builder = createBuilder({ log, registry, buildMs, waitingMax: shares.accountDeploys });
    onClose(() => builder.close());
    return { runtime, builder, reach: createReachReader(builder) };
  });
}
