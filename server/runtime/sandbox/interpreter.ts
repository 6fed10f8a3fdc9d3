/**
 * The interpreter of a language that Deno does not run, as a sandboxed process has it. The language's folder holds a
 * bundle, INTERPRETER_FILE, which exports `open`; what it shares with main.ts comes as `tools`.
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
  /** Its memory, for later processes to start from. Only of one opened for that. */
  makeSnapshot(): Uint8Array;
};

/** `isMaking`: it is opened for its snapshot, and runs nothing. */
export type OpenInterpreter = (folder: string, tools: Tools, isMaking: boolean) => Promise<Interpreter>;
