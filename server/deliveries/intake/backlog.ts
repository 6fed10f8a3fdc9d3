/**
 * Lanes with older deliveries in the table, and the position of the fetches through the table. A lane leaves the
 * backlog when a fetch has read it completely and nothing was added since that fetch began.
 */

/**
 * A fetch reads lanes `after` an id, except lanes `without` room. It reads only a few deliveries of the lanes in
 * `probed`, which are half-open, and `room` in total. `behind`: number of lanes with deliveries in the table.
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
  /** Records that the table has a delivery of this lane. */
  add(id: string): void;
  /** The same for a paused lane, which no fetch reads. It stays in the backlog until it is added again. */
  addPaused(id: string): void;
  /** Where the next fetch begins. */
  position(): Pick<Fetch, 'after' | 'behind' | 'mark'>;
  /**
   * Ends a fetch, with each lane's share of at most `most`, and the lane at which the fetch was full (null: it reached
   * the last lane). The next fetch continues from there; returns whether it should start immediately.
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
    addPaused: (id) => void lanes.set(id, Number.POSITIVE_INFINITY),
    position: () => ({ after: next, behind: lanes.size, mark: additions }),
    fetched({ after, without, probed, mark }, shares, most, upTo) {
      const leftOut = new Set(without);
      // A lane with fetched deliveries is not paused.
      for (const id of shares.keys()) if (lanes.get(id) === Number.POSITIVE_INFINITY) add(id);
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
