import type { NetworkPolicy } from '../../contract/states.ts';
import type { Language } from './languages/language.ts';

export type FunctionSpec = {
  /** "function_id/version/environment hash": another key is another process. */
  key: string;
  language: Language;
  /** As built by the language. */
  code: string;
  map: string;
  handler: string;
  label: string;
  env: Record<string, string>;
  networkPolicy: NetworkPolicy;
  allowedHosts: readonly string[];
};
