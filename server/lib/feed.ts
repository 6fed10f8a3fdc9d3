/** The messages of a stream; created only when the client can receive them. */
export type FeedMessage = { event: string; data: unknown; id?: string };
export type Feed = AsyncIterable<FeedMessage>;
/**
 * A file that is written while the client downloads it, part by part as the client accepts them. `errorText`: the part
 * that ends the file after a failure.
 */
export type FileFeed = {
  name: string;
  type: string;
  parts: AsyncIterable<string>;
  errorText: (body: unknown) => string;
};
/** `lastId`: the last message that a reconnecting client received. `signal` aborts when the client disconnects. */
export type FeedStart = { lastId: string | undefined; signal: AbortSignal };
