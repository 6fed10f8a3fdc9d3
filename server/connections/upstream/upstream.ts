import type { Target } from '../apps/compile.ts';
import type { Signer } from '../auth-methods/auth-method.ts';
import type { CallOptions } from './call-options.ts';

/** Until this time, this share of the calls is captured. */
export type CaptureRule = { untilMs: number; percent: number };

/** The target of a gateway call, with the credentials of the selected connection. */
export type Upstream = Target & {
  connection_id: string;
  app: string;
  options: CallOptions;
  /** After a 401 of the app: the same with a new token. Throws if none can be obtained. */
  refresh?: () => Promise<Upstream>;
  /** Headers that depend on the request (OAuth 1, AWS), as alternating names and values. */
  sign?: Signer;
  /** The signature covers every body, and not only forms. */
  signsBody?: boolean;
  /** Missing unless requests and responses are captured. */
  captures?: readonly CaptureRule[];
  /** Records the status of each response, if the credentials are a key that can't be refreshed. */
  watch?: (status: number) => void;
};
