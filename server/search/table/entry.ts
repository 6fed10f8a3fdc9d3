/** A function as code search knows it, and which functions a search covers. */
import type { Visibility } from '../../../contract/states.ts';

/**
 * A function. Its documents are known by number; `versions` are in ascending order, with the time when they were created
 * if it is known, in milliseconds since the epoch.
 */
export type Entry = {
  function_id: string;
  account_id: string;
  name: string;
  description: string;
  runtime: string;
  visibility: Visibility;
  /** The live version, and its document. */
  version: number;
  code: number;
  versions: [version: number, code: number, created_ms?: number][];
  /** For a PUBLIC function: the versions that other accounts cannot read. */
  hidden?: number[] | undefined;
  score: number;
  /** None when absent. */
  stars?: number;
  /** Runs of the last day; none when absent. */
  runs?: number;
  /** When the live version was deployed, in milliseconds since the epoch. */
  deployed_ms?: number;
};

export type Scope = {
  account_id: string;
  owner: 'SELF' | 'ALL';
  visibility?: Visibility | undefined;
  /** Only functions of these accounts. */
  accounts?: string[] | undefined;
  /** Only this function. */
  function_id?: string | undefined;
};
