import { createHash } from 'node:crypto';

/** How far a source was read. `seen` has digests of the ids that were there, newest first. */
export type Position = {
  seen: string[];
  /** What a feed asks to be sent back, so that it need not send what didn't change. */
  etag: string | null;
  last_modified: string | null;
};

/** One thing a source has: what it is known by, and what becomes of it as an event. */
export type Item = { id: string; payload: unknown };

/** More than any source shows at once, several times over. */
const SEEN_MAX = 2_000;
export const EVENTS_PER_POLL = 100;

export const readPosition = (text: string | null): Position | null => (text === null ? null : JSON.parse(text));

export const NOTHING_SEEN: Position = { seen: [], etag: null, last_modified: null };

export type Step = { fresh: Item[]; position: Position; more: boolean };

/**
 * What is new since the position, oldest first, and the position after it. Without a position nothing is new: what was
 * there before the trigger is only remembered. `more`: there was more than one poll takes.
 */
export function advance(before: Position | null, items: Item[], marks: Pick<Position, 'etag' | 'last_modified'>): Step {
  const known = new Set(before?.seen ?? []);
  const digests = items.map(({ id }) => digest(id));
  const fresh: Item[] = [];
  const added = new Set<string>();
  // Sources list the newest first.
  for (let i = items.length - 1; i >= 0; i--) {
    const [item, key] = [items[i], digests[i]];
    if (!item || key === undefined || known.has(key) || added.has(key)) continue;
    if (before !== null && fresh.length >= EVENTS_PER_POLL)
      return { fresh, position: positionOf(added, before.seen, { etag: null, last_modified: null }), more: true };
    added.add(key);
    if (before !== null) fresh.push(item);
  }
  return { fresh, position: positionOf(added, before?.seen ?? [], marks), more: false };
}

const positionOf = (added: Set<string>, seen: string[], marks: Pick<Position, 'etag' | 'last_modified'>): Position => ({
  seen: [...[...added].reverse(), ...seen].slice(0, SEEN_MAX),
  ...marks,
});

const digest = (id: string) => createHash('sha256').update(id).digest('base64url').slice(0, 16);
