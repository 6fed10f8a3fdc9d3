/** What a stream sends, message after message; nothing is made before there is room for it. */
export type FeedMessage = { event: string; data: unknown; id?: string };
export type Feed = AsyncIterable<FeedMessage>;
/** `lastId`: the last message that a reader whose line broke has seen. `signal` aborts when no one reads any more. */
export type FeedStart = { lastId: string | undefined; signal: AbortSignal };
