/**
 * Cache of routes: each trigger with its destinations, so that neither an event nor an attempt costs a query. An entry
 * is evicted when the change of its trigger is published, on this node or another. A node that has not received the
 * change yet detects it when it stores an event (store/routes.ts), and reads the route again before a delivery fails
 * permanently.
 */
import type { EventFilter } from '../../../contract/event-filter.ts';
import type { TriggerStatus } from '../../../contract/states.ts';
import { parseExactly } from '../../../contract/text/exact-json.ts';
import { createBatcher } from '../../lib/batcher.ts';
import type { Db, Tx } from '../../platform/database/schema.ts';
import type { Target } from '../store/destinations/destinations.ts';
import * as store from '../store/queue/routes.ts';

export type Receiver = { target: Target; filter: EventFilter | null };
export type Route = store.RouteVersion & {
  status: TriggerStatus;
  filter: EventFilter | null;
  receivers: Receiver[];
};

export type Routes = {
  /** From memory. */
  known(key: store.RouteKey): Route | undefined;
  /** From memory or the table; undefined if the trigger does not exist. */
  find(key: store.RouteKey): Promise<Route | undefined>;
  /**
   * From memory, or by one query over the connection of a transaction. If transactions waited for a second connection,
   * as many transactions as the pool has connections would block it.
   */
  findIn(tx: Tx, keys: store.RouteKey[]): Promise<(Route | undefined)[]>;
  forget(trigger_id: string): void;
  forgetAll(): void;
};

const TTL_MS = 5_000;
const MOST_KNOWN = 10_000;

type Entry = { route: Route | undefined; atMs: number };

export function createRoutes(db: Db): Routes {
  const entries = new Map<string, Entry>();
  const loading = createBatcher<store.RouteKey, Route | undefined>(load, { max: 200, atOnce: 2 });

  async function load(keys: store.RouteKey[]) {
    const mine = new Map<string, Entry>();
    for (const { trigger_id } of keys) {
      const entry: Entry = { route: undefined, atMs: performance.now() };
      mine.set(trigger_id, entry);
      entries.delete(trigger_id);
      entries.set(trigger_id, entry);
    }
    for (const oldest of entries.keys()) {
      if (entries.size <= MOST_KNOWN) break;
      entries.delete(oldest);
    }
    const distinct = [...new Map(keys.map((key) => [key.trigger_id, key])).values()];
    const routes = routesOf(await store.find(db, distinct));
    // An entry evicted meanwhile is not cached: it may have been read before the change.
    for (const [id, entry] of mine) entry.route = routes.get(id);
    return keys.map(({ account_id, trigger_id }) => ofAccount(routes.get(trigger_id), account_id));
  }

  function known({ account_id, trigger_id }: store.RouteKey): Route | undefined {
    const entry = entries.get(trigger_id);
    return entry && performance.now() - entry.atMs < TTL_MS ? ofAccount(entry.route, account_id) : undefined;
  }

  return {
    known,
    find: async (key) => known(key) ?? loading.add(key),
    async findIn(tx, keys) {
      const unknown = keys.filter((key) => !known(key));
      const read = unknown.length > 0 ? routesOf(await store.find(tx, unknown)) : new Map<string, Route>();
      return keys.map((key) => known(key) ?? ofAccount(read.get(key.trigger_id), key.account_id));
    },
    forget: (trigger_id) => void entries.delete(trigger_id),
    forgetAll: () => entries.clear(),
  };
}

const ofAccount = (route: Route | undefined, account_id: string) =>
  route?.account_id === account_id ? route : undefined;

function routesOf(rows: store.RouteRow[]): Map<string, Route> {
  const routes = new Map<string, Route>();
  for (const { version, trigger_status, trigger_filter, destination_id, ...row } of rows) {
    const { account_id, trigger_id } = row;
    const route: Route = routes.get(trigger_id) ?? {
      account_id,
      trigger_id,
      version,
      status: trigger_status,
      filter: readFilter(trigger_filter),
      receivers: [],
    };
    routes.set(trigger_id, route);
    if (destination_id !== null)
      route.receivers.push({ target: { ...row, destination_id }, filter: readFilter(row.filter) });
  }
  return routes;
}

const readFilter = (text: string | null) => (text === null ? null : (parseExactly(text) as EventFilter));
