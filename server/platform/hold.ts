/**
 * The hold of an installation: a copy of another one, such as a restored backup, must not act in its place. The hold is
 * stored in the database, so that it applies to all nodes: workers do not run, events are refused with 503, and tokens
 * are not refreshed. What waits is sent after the release.
 */
import type { Logger } from 'pino';
import { z } from 'zod';
import { HOLD_CAUSES, type HoldCause } from '../../contract/states.ts';
import { now } from '../lib/clock.ts';
import { Failure } from '../lib/failure.ts';
import type { Db, Tx } from './database/schema.ts';
import { createLoop } from './loop.ts';

/** `origin`: the file of an import. */
export type Hold = { since: string; cause: HoldCause; origin: string | null };

export type Holder = {
  /** Null: the installation is not on hold. */
  current(): Hold | null;
  /** Resolves when it is not on hold, or has been released. */
  released: Promise<void>;
  /** Looks immediately whether it was released. */
  look(): Promise<void>;
  close(): Promise<void>;
};

const NAME = 'hold';
const LOOK_MS = 1000;
const Stored = z.object({ since: z.string(), cause: z.enum(HOLD_CAUSES), origin: z.string().nullable() });

/** The row of a hold that begins now. */
export const holdSetting = ({ cause, origin }: Omit<Hold, 'since'>): { name: string; value: string } => ({
  name: NAME,
  value: JSON.stringify({ since: now(), cause, origin } satisfies Hold),
});

/** Begins a hold, unless there is one. It lasts until `release`. */
export async function hold(db: Db | Tx, given: Omit<Hold, 'since'>): Promise<void> {
  await db
    .insertInto('settings')
    .values(holdSetting(given))
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}

/** Whether there was a hold. Nodes notice its end within a second. */
export async function release(db: Db | Tx): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('settings').where('name', '=', NAME).executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function readHold(db: Db | Tx): Promise<Hold | null> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', NAME).executeTakeFirst();
  return row ? Stored.parse(JSON.parse(row.value)) : null;
}

/** Reads the hold; while there is one, looks for its end. */
export async function createHolder(db: Db, log: Logger): Promise<Holder> {
  let current = await readHold(db);
  const { promise: released, resolve } = Promise.withResolvers<void>();
  const loop = createLoop({ name: 'hold', log, everyMs: LOOK_MS, work: look });

  async function look() {
    if (!current) return undefined;
    current = await readHold(db);
    if (!current) {
      log.info('released');
      resolve();
    }
    return undefined;
  }

  if (current) {
    log.warn(current, 'on hold: workers do not run and events are refused, until the release');
    await loop.start();
  } else resolve();
  void released.then(() => loop.drain());
  return {
    current: () => current,
    released,
    async look() {
      await look();
    },
    close: () => loop.drain(),
  };
}

/** The refusal of what an installation on hold does not do. */
export const onHold = (): Failure =>
  new Failure(503, 'This installation is on hold: an owner has to release it first.', {
    headers: { 'Retry-After': '60' },
  });
