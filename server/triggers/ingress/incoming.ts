import type { Trace } from '../../platform/tracing/trace.ts';

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

export type Incoming = { method: string; url: string; headers: Headers; body: Buffer };

/** A request to a webhook endpoint as it was received. `body` may be incomplete; `bytes` is its announced size. */
export type Seen = {
  /** The trace that its events continue, instead of that of its headers. */
  trace?: Trace | undefined;
  method: string;
  /** Below the webhook URL: empty, or begins with a slash. */
  path: string;
  /** Without the question mark. */
  query: string;
  headers: Headers;
  body: Buffer;
  bytes: number;
  ip: string | null;
  /** The X-Request-Id that the sender sent, if any. */
  request_id: string | undefined;
  /** The X-Request-Id of the response. */
  answered_id: () => string;
};
