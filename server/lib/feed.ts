/** The messages of a stream; created only when the client can receive them. */
export type FeedMessage = { event: string; data: unknown; id?: string };
export type Feed = AsyncIterable<FeedMessage>;
/** `lastId`: the last message that a reconnecting client received. `signal` aborts when the client disconnects. */
export type FeedStart = { lastId: string | undefined; signal: AbortSignal };
