import type { NetworkPolicy } from '../../contract/states.ts';
import type { Language } from './languages/language.ts';

export type FunctionSpec = {
  /** The account whose shares the runs count towards. */
  account_id: string;
  /** "function_id/version/environment hash": each key has a separate process. */
  key: string;
  language: Language;
  /** The output of the language's build. */
  code: string;
  map: string;
  handler: string;
  label: string;
  env: Record<string, string>;
  networkPolicy: NetworkPolicy;
  allowedHosts: readonly string[];
};
