import { createHash } from 'node:crypto';

/** The items of a source read so far. `seen` contains digests of their IDs, newest first. */
export type Position = {
  seen: string[];
  /** Validators of the feed for a conditional request. */
  etag: string | null;
  last_modified: string | null;
};

/** One item of a source: its ID, and its event payload. */
export type Item = { id: string; payload: unknown };

/** Several times the number of items that sources return at once. */
const SEEN_MAX = 2_000;
export const EVENTS_PER_POLL = 100;

export const readPosition = (text: string | null): Position | null => (text === null ? null : JSON.parse(text));

export const NOTHING_SEEN: Position = { seen: [], etag: null, last_modified: null };

export type Step = { fresh: Item[]; position: Position; more: boolean };

/**
 * The new items since the position, oldest first, and the next position. Without a position nothing is new: items older
 * than the trigger are only recorded. `more`: the source has more new items than one poll processes.
 */
export function advance(before: Position | null, items: Item[], marks: Pick<Position, 'etag' | 'last_modified'>): Step {
  const known = new Set(before?.seen ?? []);
  const digests = items.map(({ id }) => digest(id));
  const fresh: Item[] = [];
  const added = new Set<string>();
  // Sources list the newest items first.
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
