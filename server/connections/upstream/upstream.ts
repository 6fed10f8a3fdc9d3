import type { Target } from '../apps/compile.ts';
import type { Signer } from '../auth-methods/auth-method.ts';

/** Where one call through the gateway goes, with the credentials of the connection that was chosen. */
export type Upstream = Target & {
  connection_id: string;
  /** After the app's 401: the same with a fresh token. Throws when there is none to be had. */
  renew?: () => Promise<Upstream>;
  /** Headers that depend on the request itself (OAuth 1), as names and values in turn. */
  sign?: Signer;
  /** Takes the status of each response of the app, where the credentials are a key that can't be renewed. */
  watch?: (status: number) => void;
};
