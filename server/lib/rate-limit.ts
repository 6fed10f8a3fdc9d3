/** A token bucket per key: `burst` at once, refilled at `perSecond`. */
export type RateLimit = {
  readonly perSecond: number;
  readonly burst: number;
  /** Takes a token from the bucket of a key, if one is left. Asynchronous if other nodes have to be asked. */
  take(key: string): Taken | Promise<Taken>;
  /** Returns a token, for a request that does not count. */
  giveBack(key: string): void;
};
/** Counts in this process only. */
export type OwnRateLimit = Omit<RateLimit, 'take'> & { take(key: string): Taken };
export type Taken = {
  allowed: boolean;
  /** Whole tokens left. */
  remaining: number;
  /** Seconds until the next token; 0 if one is left. */
  retryAfterSeconds: number;
};

type Options = { perSecond: number; burst: number; maxKeys?: number; now?: () => number };
type Bucket = { tokens: number; atMs: number };

export function createRateLimit({
  perSecond,
  burst,
  maxKeys = 50_000,
  now = () => performance.now(),
}: Options): OwnRateLimit {
  // In order of last use, so that the first is the one to evict: it is the fullest.
  const buckets = new Map<string, Bucket>();

  let last: Bucket | undefined;

  function refilled(key: string): Bucket {
    const atMs = now();
    const bucket = buckets.get(key) ?? { tokens: burst, atMs };
    bucket.tokens = Math.min(burst, bucket.tokens + ((atMs - bucket.atMs) / 1000) * perSecond);
    bucket.atMs = atMs;
    // Often the same bucket is used again and already at the end.
    if (bucket !== last) moveToEnd(key, bucket);
    return bucket;
  }

  function moveToEnd(key: string, bucket: Bucket): void {
    last = bucket;
    buckets.delete(key);
    buckets.set(key, bucket);
    const oldest = buckets.size > maxKeys ? buckets.keys().next().value : undefined;
    if (oldest !== undefined) buckets.delete(oldest);
  }

  return {
    perSecond,
    burst,
    take(key) {
      const bucket = refilled(key);
      const allowed = bucket.tokens >= 1;
      if (allowed) bucket.tokens -= 1;
      const missing = Math.max(0, 1 - bucket.tokens);
      return { allowed, remaining: Math.floor(bucket.tokens), retryAfterSeconds: missing / perSecond };
    },
    giveBack(key) {
      const bucket = refilled(key);
      bucket.tokens = Math.min(burst, bucket.tokens + 1);
    },
  };
}

/**
 * `RateLimit-Policy` (q: quota, w: seconds to refill it) and `RateLimit` (r: remaining, t: seconds until more) of
 * draft-ietf-httpapi-ratelimit-headers-10; `Retry-After` once none remain.
 */
export function rateLimitHeaders(limit: RateLimit, taken: Taken): Record<string, string> {
  const windowSeconds = Math.max(1, Math.ceil(limit.burst / limit.perSecond));
  const waitSeconds = Math.max(1, Math.ceil(taken.retryAfterSeconds));
  return {
    'RateLimit-Policy': `"default";q=${limit.burst};w=${windowSeconds}`,
    RateLimit: `"default";r=${taken.remaining};t=${taken.remaining > 0 ? windowSeconds : waitSeconds}`,
    ...(taken.allowed ? {} : { 'Retry-After': String(waitSeconds) }),
  };
}
