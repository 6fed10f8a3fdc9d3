/**
 * Which lanes have older deliveries in the table, and how far the fetches through the table have come. A lane leaves
 * the backlog once a fetch has looked at it and nothing was left over or added since that fetch began.
 */

/**
 * A fetch reads lanes `after` an id, except those `without` room; of those in `probed`, which are half-open, only a
 * few; `room` in all. `behind`: how many lanes are known to have deliveries in the table.
 */
export type Fetch = {
  after: string;
  without: string[];
  probed: string[];
  behind: number;
  room: number;
  mark: number;
};

export type Backlog = {
  has(id: string): boolean;
  /** A delivery of this lane is in the table. */
  add(id: string): void;
  /** Where the next fetch begins. */
  position(): Pick<Fetch, 'after' | 'behind' | 'mark'>;
  /**
   * After a fetch: each lane's share of at most `most`, and the lane at which it was full (null: it went through to the
   * last). The next fetch continues from there; returns whether that should be at once.
   */
  fetched(fetch: Fetch, shares: Map<string, number>, most: number, upTo: string | null): boolean;
};

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

export function createBacklog(): Backlog {
  /** Each lane with the number of its latest addition. */
  const lanes = new Map<string, number>();
  let additions = 0;
  let next = BEFORE_ALL;

  function add(id: string) {
    lanes.set(id, ++additions);
  }

  return {
    has: (id) => lanes.has(id),
    add,
    position: () => ({ after: next, behind: lanes.size, mark: additions }),
    fetched({ after, without, probed, mark }, shares, most, upTo) {
      const leftOut = new Set(without);
      for (const [id, count] of shares) if (id === upTo || count >= (probed.includes(id) ? 1 : most)) add(id);
      for (const [id, addition] of lanes) {
        const lookedAt = shares.has(id) || (id > after && (upTo === null || id < upTo) && !leftOut.has(id));
        if (lookedAt && addition <= mark) lanes.delete(id);
      }
      next = upTo ?? BEFORE_ALL;
      return upTo !== null || after !== BEFORE_ALL;
    },
  };
}
