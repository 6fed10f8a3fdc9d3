/** Types for the parts of the package that a test uses; it has none. */
declare module 'passport-http-oauth' {
  import type { Strategy } from 'passport';

  type Done = (error: Error | null, found?: unknown, ...more: unknown[]) => void;
  type Validate = (timestamp: string, nonce: string, done: (error: Error | null, valid: boolean) => void) => void;
  type Find = (key: string, done: Done) => void;
  /** `consumer` answers (client, secret), `token` (secret, info). */
  export const ConsumerStrategy: new (consumer: Find, token: Find, validate: Validate) => Strategy;
  /** `consumer` answers (client, secret), `verify` (user, secret). */
  export const TokenStrategy: new (consumer: Find, verify: Find, validate: Validate) => Strategy;
}
