/**
 * The shares of an account: how much of what all accounts of a node have in common one of them may use. Beyond a share a
 * request gets 429 with the share's name, so that requests of other accounts never fail for lack of it.
 */
import { Failure } from '../failure.ts';

/** Limits of this node. Described in docs/reference/operating.md, "Shares of an account". */
export type Shares = {
  /** Function processes of all accounts. */
  processes: number;
  /** Busy function processes of one account. */
  accountProcesses: number;
  accountRuns: number;
  /** Memory of one function process, in bytes. */
  processBytes: number;
  accountBytes: number;
  /** Fraction of the machine's CPU time above which functions of an account run at a lower priority. */
  accountCpu: number;
  /** Bytes of output per second. */
  accountOutput: number;
  /** Deploys waiting for the one in progress. */
  accountDeploys: number;
  /** Searches in progress. */
  accountSearches: number;
  /** Event streams, such as one per console tab. */
  accountStreams: number;
  /** Webhook requests per second, to one URL and to all URLs of an account. */
  hookRate: number;
  accountHookRate: number;
};

/** The account has used its share: 429 with the name of the share and its limit. */
export const shareUsed = (message: string, retryAfterSeconds: number): Failure =>
  new Failure(429, message, { headers: { 'Retry-After': String(retryAfterSeconds) } });
