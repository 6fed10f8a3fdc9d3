import type { Operations, Schemas } from './operations.js';

export type { Operations, Schemas };
export type Operation = keyof Operations;
export type Input<O extends Operation> = Operations[O]['input'];
export type Reply<O extends Operation> = Operations[O]['reply'];

/** Operations with pages: their reply has `next_token`. */
export type PagedOperation = {
  [O in Operation]: Reply<O> extends { next_token?: string | null } ? O : never;
}[Operation];
/** The items of a page: its first list. */
export type Item<O extends PagedOperation> = {
  [F in keyof Reply<O>]: Reply<O>[F] extends readonly (infer I)[] ? I : never;
}[keyof Reply<O>];

/** An input without required fields can be left out. */
type Given<O extends Operation> =
  Record<string, never> extends Input<O>
    ? [input?: Input<O>, options?: CallOptions]
    : [input: Input<O>, options?: CallOptions];

export type CallOptions = {
  signal?: AbortSignal;
  /** The key of a POST, by default a new one. Use your own to repeat a request of an earlier process. */
  idempotencyKey?: string;
};

export type ClientOptions = {
  /** Such as `https://sluice.example.com/api`. */
  baseUrl: string;
  apiKey?: string | undefined;
  /** Headers of every request. */
  headers?: Record<string, string> | (() => Record<string, string>);
  /** How often a request is repeated after 408, 429, 502, 503, 504 or a broken connection. 3 by default. */
  retries?: number;
  fetch?: typeof fetch;
  onResponse?: (response: Response) => void;
};

export type Client = {
  /** Calls an operation. Throws a SluiceError unless the status is 200. Streams and files are a Response. */
  call<O extends Operation>(operation: O, ...given: Given<O>): Promise<Reply<O>>;
  /** All pages of a list. */
  pages<O extends PagedOperation>(operation: O, ...given: Given<O>): AsyncGenerator<Reply<O>, void>;
  /** All items of a list, page by page. */
  items<O extends PagedOperation>(operation: O, ...given: Given<O>): AsyncGenerator<Item<O>, void>;
};

export declare function createClient(options: ClientOptions): Client;

/** An error of the service. */
export declare class SluiceError extends Error {
  readonly operation: string;
  readonly status: number;
  /** Undefined if the response is not JSON, such as that of a proxy. */
  readonly body: Schemas.Error | undefined;
  readonly requestId: string | null;
}
