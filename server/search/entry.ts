import type { Visibility } from '../../contract/states.ts';

/** A function. Its codes are known by number; `versions` are in their order. */
export type Entry = {
  function_id: string;
  account_id: string;
  name: string;
  description: string;
  runtime: string;
  visibility: Visibility;
  /** The version that serves, and its code. */
  version: number;
  code: number;
  versions: [version: number, code: number][];
  /** Of a PUBLIC function: the versions that other accounts can't read. */
  hidden?: number[];
  score: number;
  /** What the catalogue knows it by. */
  slot: number;
};

/** All functions in their order, in a list that stays as it is until it is given back; by slot the place of each in it, until the next change. */
export type Order = { readonly sorted: readonly Entry[]; readonly places: Int32Array };
