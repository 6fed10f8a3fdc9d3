import { statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import { now } from '../../lib/clock.ts';
import type { Services } from '../../platform/context.ts';
import { type Calm, type Finding, idOf, type Observe, resourceOf } from '../condition.ts';
import * as store from '../store/others.ts';
import { bytesIn, durationSince, quoted } from '../wording.ts';

const FREE_PERCENT = 10;

/** Stores the free space of this node's data folder, for the observer on any node; false if it has to be repeated. */
export async function measureStorage({ db, nodeId, settings }: Services): Promise<boolean> {
  const { bsize, bavail, blocks } = await statfs(settings.dataDir);
  const sizes = { storage_free: bavail * bsize, storage_total: blocks * bsize };
  return store.noteStorage(db, nodeId, { host: hostname().slice(0, 255), ...sizes });
}

/** The file system with the data folder of a node is almost full. */
export const observeStorage: Observe = async ({ tx, parameters, open, limit }) => {
  const percent = parameters.free_percent ?? FREE_PERCENT;
  const storages = await store.storages(tx);
  const isLow = ({ free, total }: store.HostStorage) => free * 100 < percent * total;
  const stateOf = new Map(storages.map((each) => [each.host, each]));
  const openHosts = open.map(idOf);
  const calm = open.flatMap((row): Calm[] => {
    const state = stateOf.get(idOf(row));
    if (state && isLow(state)) return [];
    const resource = resourceOf(row);
    const free = state ? `${sizesOf(state)} are free, after ${durationSince(row.since)}.` : 'The node was removed.';
    const title = `Storage of node ${quoted(resource.name)} is no longer low`;
    const notice = { type: 'storage.low', severity: 'info' as const, title, text: free, path: '/', resource };
    return [{ key: row.key, atOnce: false, notice }];
  });
  const begun = storages.filter((each) => isLow(each) && !openHosts.includes(each.host));
  return { findings: begun.slice(0, Math.max(0, limit)).map(found), calm };
};

const percentOf = ({ free, total }: store.HostStorage) => Math.floor((free * 100) / total);
const sizesOf = (state: store.HostStorage) =>
  `${bytesIn(state.free)} of ${bytesIn(state.total)} (${percentOf(state)} %)`;

function found(state: store.HostStorage): Finding {
  const { host, free, total } = state;
  return {
    key: `storage:${host}`,
    since: now(),
    state: 'opened',
    notice: {
      type: 'storage.low',
      severity: 'critical',
      title: `Storage of node ${quoted(host)} is low`,
      text: `${sizesOf(state)} are free. Free some space, or shorten the retention.`,
      path: '/',
      resource: { kind: 'node', id: host, name: host },
      details: { free_bytes: free, total_bytes: total, free_percent: percentOf(state) },
    },
  };
}
