/**
 * Parts that the domains add to the context of verbs (platform/context.ts). app.ts creates and closes each part.
 */

import type { Link } from './connections/connect/connect-links.ts';
import type { BreakerRules } from './deliveries/destinations/breaker.ts';
import type { HealthRules } from './deliveries/destinations/destination-health.ts';
import type { Pipeline } from './deliveries/intake/intake.ts';
import type { RunTokens } from './functions/calls/run-tokens.ts';
import type { Memory } from './memory.ts';
import type { ConnectSessionsTable } from './platform/database/tables/connection-tables.ts';
import type { Builder } from './runtime/build/builder.ts';
import type { ReachReader } from './runtime/reach/reach.ts';
import type { Runtime } from './runtime/runtime.ts';
import type { CodeSearch } from './search/code-search.ts';

declare module './platform/context.ts' {
  interface Settings {
    /** When a failing destination is disabled; tests shorten it. */
    health: HealthRules;
    /** When the circuit breaker of a destination opens; tests shorten its pauses. */
    breaker: BreakerRules;
  }

  interface Services {
    /** Caches, and buffers of rows that are written in batches. */
    memory: Memory;
    runtime: Runtime;
    /** Compiles and analyzes the code of functions, in separate processes. */
    builder: Builder;
    search: CodeSearch;
    /** Reads which hosts and variables the code of a function uses. */
    reach: ReachReader;
    /** Tokens for gateway calls of runs in progress. */
    runTokens: RunTokens;
    /** Stores events, and has the deliveries that this node leased. */
    pipeline: Pipeline;
  }

  interface Ctx {
    /** The claims of the connect link's token, if the caller uses a connect link. */
    link?: Link;
    /** The connect session whose token the caller uses. */
    connect_session?: ConnectSessionsTable;
  }
}
