/** The interface of a programming language of functions. languages.ts is the registry. */
import type { Logger } from 'pino';
import type { Build, Source } from '../build/build.ts';
import type { Home } from '../fleet/sandbox-home.ts';

export type Language = {
  /** Unique, and valid as a folder name. */
  name: string;
  /** Builds a version, or throws a BuildError with file, line and column (1-based) of every problem. */
  build(source: Source, tools: BuildTools): Promise<Build>;
  /** Creates the files that processes need besides the sandbox. Absent if the sandbox runs the code itself. */
  openInterpreter?(setting: InterpreterSetting): Interpreter;
  limits: ProcessLimits;
  /** Whether processes receive small requests as lines on one connection (fleet/small-call.ts), or all by HTTP. */
  takesSmallCalls: boolean;
};

export type ProcessLimits = {
  /** A process that does not serve after this time is killed. */
  bootMs: number;
  /** The number of spare processes per network policy; the service keeps at most `most`. */
  spares(most: number): number;
  /** The limit of concurrent processes; the service has `most` for all languages. */
  processes(most: number): number;
};

/** Helpers for a build; each waits for the account's turn, or throws TooManyBuilds. */
export type BuildTools = {
  /** Compiles JavaScript or TypeScript in a build process. */
  compile(source: Source): Promise<Build>;
  /** Runs work that holds the turn until it ends. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** Posts `input` to a program in this language, in a separate sandboxed process. Does not wait for a turn. */
  run(program: Program, input: string): Promise<Output>;
};
/** Built code, as in FunctionSpec. */
export type Program = { code: string; map: string; handler: string };
export type Output = { body: string; error: { name: string; message: string } | undefined };

export type InterpreterSetting = {
  language: Language;
  home: Home;
  /** For files that are expensive to create. It may not exist yet, and may be removed while no service runs. */
  cacheDir: string;
  log: Logger;
};

/** The files of a language, created once per service, in languageFolder(). sandbox/interpreter.ts uses them. */
export type Interpreter = {
  /** Resolves when processes can start. Rejects if the language cannot run; the next call retries. */
  ready(): Promise<void>;
  /** Prepares the files in advance if the language was used before. Never rejects. */
  prepare(): Promise<void>;
  /** Cancels the preparation. Resolves when nothing is written any more. */
  close(): Promise<void>;
};
