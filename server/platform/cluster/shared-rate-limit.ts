/**
 * A rate limit that counts on all nodes: a token bucket in the database. A node takes a portion of the tokens of a
 * second at a time, so that most requests need no query, and returns what it did not use with its next one. So a limit
 * is exceeded by at most one portion of each node, and all of it is available to a single node.
 */
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { errorFields } from '../../lib/outage-log.ts';
import { createRateLimit, type RateLimit, type Taken } from '../../lib/rate-limit.ts';
import { withinTime } from '../../lib/time-limit.ts';
import type { Db } from '../database/schema.ts';

export type SharedRateLimitOptions = {
  db: Db;
  log: Pick<Logger, 'warn'>;
  /** Of the limit, among those of the service. */
  name: string;
  perSecond: number;
  burst: number;
  now?: () => number;
  /** How long the answer of the database is awaited; longer in tests. */
  databaseMs?: number | undefined;
};

/** The part of a second's tokens that a node takes at a time. */
const PORTION = 0.05;
/** Unused tokens are not spent after this time. */
const KEPT_MS = 1_000;
/** Without the answer of the database, requests count on this node only, for a while. */
const DATABASE_MS = 1_000;
const ALONE_MS = 1_000;
const MAX_KEYS = 50_000;

type Bucket = {
  /** Whole tokens of this node, until a time. */
  tokens: number;
  untilMs: number;
  /** Whole tokens that the database had left. */
  left: number;
  /** The database has too few tokens to ask again before this time. */
  emptyUntilMs: number;
  /** Requests that wait for tokens. */
  waiting: number;
  leasing: Promise<void> | undefined;
};

export function createSharedRateLimit(options: SharedRateLimitOptions): RateLimit {
  const { perSecond, burst, now = () => performance.now(), databaseMs = DATABASE_MS } = options;
  const portion = Math.max(1, Math.floor(perSecond * PORTION));
  // In order of the last request to the database, so that the first is the one to evict.
  const buckets = new Map<string, Bucket>();
  const alone = createRateLimit({ perSecond, burst, now });
  let aloneUntilMs = Number.NEGATIVE_INFINITY;
  let isAnswered = true;

  function bucketOf(key: string): Bucket {
    const known = buckets.get(key);
    if (known) return known;
    const bucket = { tokens: 0, untilMs: 0, left: 0, emptyUntilMs: 0, waiting: 0, leasing: undefined };
    buckets.set(key, bucket);
    const oldest = buckets.size > MAX_KEYS ? buckets.keys().next().value : undefined;
    if (oldest !== undefined) buckets.delete(oldest);
    return bucket;
  }

  /** Undefined if only the database knows. */
  function takeHere(bucket: Bucket): Taken | undefined {
    const atMs = now();
    if (bucket.tokens >= 1 && atMs < bucket.untilMs) {
      bucket.tokens -= 1;
      const remaining = bucket.left + bucket.tokens;
      return { allowed: true, remaining, retryAfterSeconds: remaining > 0 ? 0 : 1 / perSecond };
    }
    if (atMs >= bucket.emptyUntilMs) return undefined;
    return { allowed: false, remaining: 0, retryAfterSeconds: (bucket.emptyUntilMs - atMs) / 1000 };
  }

  async function takeThere(key: string, bucket: Bucket): Promise<Taken> {
    bucket.waiting += 1;
    try {
      for (;;) {
        bucket.leasing ??= lease(key, bucket).finally(() => {
          bucket.leasing = undefined;
        });
        await bucket.leasing;
        const taken = takeHere(bucket);
        if (taken) return taken;
      }
    } catch (error) {
      countAlone(error);
      return alone.take(key);
    } finally {
      bucket.waiting -= 1;
    }
  }

  /** One line for each outage: each request of it has a line already. */
  function countAlone(error: unknown): void {
    aloneUntilMs = now() + ALONE_MS;
    if (isAnswered)
      options.log.warn({ limit: options.name, ...errorFields(error) }, 'requests are counted on this node only');
    isAnswered = false;
  }

  async function lease(key: string, bucket: Bucket): Promise<void> {
    const unused = Math.max(0, bucket.tokens);
    bucket.tokens = 0;
    buckets.delete(key);
    buckets.set(key, bucket);
    const wanted = Math.max(portion, bucket.waiting);
    const late = () => new Error('the database did not answer in time');
    const { granted, tokens } = await withinTime(grant(options, key, wanted, unused), databaseMs, late);
    isAnswered = true;
    const atMs = now();
    bucket.tokens += granted;
    bucket.untilMs = atMs + KEPT_MS;
    bucket.left = Math.floor(tokens);
    if (granted < wanted) bucket.emptyUntilMs = atMs + ((Math.max(1, portion / 4) - tokens) / perSecond) * 1000;
  }

  return {
    perSecond,
    burst,
    take(key) {
      if (now() < aloneUntilMs) return alone.take(key);
      const bucket = bucketOf(key);
      return takeHere(bucket) ?? takeThere(key, bucket);
    },
    giveBack(key) {
      const bucket = bucketOf(key);
      bucket.tokens += 1;
      bucket.untilMs = Math.max(bucket.untilMs, now() + KEPT_MS);
    },
  };
}

type Granted = { granted: number; tokens: number };

async function grant(
  { db, name, perSecond, burst }: SharedRateLimitOptions,
  key: string,
  wanted: number,
  unused: number,
): Promise<Granted> {
  // A statement that waited for another may have begun before it: the time of the bucket does not go back.
  const filled = sql`least(${burst}::float8, r.tokens + ${unused}::float8
    + greatest(0, extract(epoch from now() - r.at))::float8 * ${perSecond}::float8)`;
  const given = sql`least(${wanted}::integer, floor(${filled}))::integer`;
  const first = Math.min(wanted, burst);
  const { rows } = await sql<Granted>`
    insert into rate_limits as r (name, key, tokens, granted, at)
    values (${name}, ${key}, ${burst - first}::float8, ${first}::integer, now())
    on conflict (name, key) do update
      set tokens = ${filled} - ${given}, granted = ${given}, at = greatest(r.at, now())
    returning granted, tokens
  `.execute(db);
  return rows[0] ?? { granted: 0, tokens: 0 };
}

/** Deletes the buckets that are full again. */
export async function removeFull(db: Db, seconds: number): Promise<void> {
  await sql`
    delete from rate_limits where at < now() - make_interval(secs => ${seconds}::float8)
  `.execute(db);
}
