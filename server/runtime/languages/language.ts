/** The interface of a language that functions are written in. languages.ts is the list of them. */
import type { Logger } from 'pino';
import type { Build, Source } from '../build/build.ts';
import type { Home } from '../fleet/sandbox-home.ts';

export type Language = {
  /** Unique, and fit for the name of a folder. */
  name: string;
  /** Builds a version, or throws a BuildError with every problem's file, line and column (1-based). */
  build(source: Source, tools: BuildTools): Promise<Build>;
  /** Makes the files that its processes need besides the sandbox. Absent where the sandbox itself runs the code. */
  openInterpreter?(setting: InterpreterSetting): Interpreter;
  limits: ProcessLimits;
  /** Whether its processes take small requests as lines of one connection (fleet/small-call.ts), or all by HTTP. */
  takesSmallCalls: boolean;
};

export type ProcessLimits = {
  /** A process that does not serve after this time is killed. */
  bootMs: number;
  /** Spare processes for each network policy, where the service keeps `most`. */
  spares(most: number): number;
  /** Processes at the same time, where the service has `most` for all languages. */
  processes(most: number): number;
};

/** How a language builds; each waits for the account's turn among all builds, or throws TooManyBuilds. */
export type BuildTools = {
  /** Compiles JavaScript or TypeScript in a build process. */
  compile(source: Source): Promise<Build>;
  /** Does work that holds the turn until it ends. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** Posts `input` to a program in this language, in a sandboxed process only for it. Does not wait for a turn. */
  run(program: Program, input: string): Promise<Output>;
};
/** Built code, as in FunctionSpec. */
export type Program = { code: string; map: string; handler: string };
export type Output = { body: string; error: { name: string; message: string } | undefined };

export type InterpreterSetting = {
  language: Language;
  home: Home;
  /** For what is expensive to make again. It may not exist yet, and may be removed while no service runs. */
  cacheDir: string;
  log: Logger;
};

/** The files of a language, made once a service, in languageFolder(). sandbox/interpreter.ts is its other half. */
export type Interpreter = {
  /** Resolves when processes can start with it. Rejects where the language can't run; the next call tries again. */
  ready(): Promise<void>;
  /** Makes it ready ahead of need where the language was used before. Never rejects. */
  prepare(): Promise<void>;
  /** Cancels the preparation. Resolves when nothing more is written. */
  close(): Promise<void>;
};
