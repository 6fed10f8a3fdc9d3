import type { FunctionRuntime } from '../../../contract/states.ts';

/** The code of a new function, with its settings. */
export type Starter = {
  readonly id: string;
  readonly title: string;
  /** What it does, and which environment variables it reads. */
  readonly what: string;
  /** The suggested name of the function. */
  readonly name: string;
  readonly runtime: FunctionRuntime;
  readonly handler: string;
  readonly files: Readonly<Record<string, string>>;
};
