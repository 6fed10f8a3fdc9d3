/**
 * The interpreter of a language that Deno does not run, in a sandboxed process. The language's folder contains a
 * bundle, INTERPRETER_FILE, which exports `open`. main.ts passes its helpers as `tools`.
 */
import type { LogLevel } from '../../../contract/states.ts';
import type { Assignment } from '../fleet/frames.ts';
import type { Handler } from './handler.ts';
import type { Scope } from './scope.ts';

export type Tools = {
  currentScope(): Scope;
  within<T>(scope: Scope, work: () => T): T;
  say(level: LogLevel, message: string): void;
  responseOf(value: unknown): Response;
  exit(code: number): never;
};

export type Interpreter = {
  load(assignment: Assignment): Promise<Handler>;
  /** Returns a snapshot of its memory, from which later processes start. Only if it was opened for that. */
  makeSnapshot(): Uint8Array;
};

/** `isMaking`: opened for its snapshot, runs nothing. */
export type OpenInterpreter = (folder: string, tools: Tools, isMaking: boolean) => Promise<Interpreter>;
