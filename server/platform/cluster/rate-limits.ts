/** Makes the rate limits of the service: those of a cluster count on all nodes. */
import type { Logger } from 'pino';
import { createRateLimit, type RateLimit } from '../../lib/rate-limit.ts';
import type { Db } from '../database/schema.ts';
import { createSharedRateLimit } from './shared-rate-limit.ts';

/** `name` is the same on all nodes. */
export type MakeRateLimit = (name: string, limit: { perSecond: number; burst: number }) => RateLimit;

/** `shared`: other nodes may use the database. */
type Parts = { db: Db; log: Pick<Logger, 'warn'>; shared: boolean; databaseMs?: number | undefined };

export const rateLimitsOf =
  ({ db, log, shared, databaseMs }: Parts): MakeRateLimit =>
  (name, limit) =>
    shared ? createSharedRateLimit({ db, log, name, databaseMs, ...limit }) : createRateLimit(limit);
