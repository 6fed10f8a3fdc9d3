import { fromNow, now } from '../../lib/clock.ts';
import { type Calm, type Finding, idOf, type Notice, type Observe, resourceOf } from '../condition.ts';
import * as store from '../store/others.ts';
import { quoted, spelled } from '../wording.ts';

const DAYS_BEFORE = 14;
const DAY_MS = 86_400_000;
const PATH = '/settings/keys';

/** An API key expires soon. It is over when the key was extended or deleted. */
export const observeApiKeys: Observe = async ({ tx, account_id, parameters, open, limit, watching_since }) => {
  const until = fromNow((parameters.days_before ?? DAYS_BEFORE) * DAY_MS);
  const range = { since: watching_since, until, limit: Math.max(0, limit) };
  const keys = await store.expiringKeys(tx, account_id, open.map(idOf), range);
  const isDue = ({ expires_at }: store.KeyState) => expires_at !== null && expires_at <= until;
  const stateOf = new Map(keys.map((each) => [each.key_id, each]));
  const calm = open.flatMap((row): Calm[] => {
    const state = stateOf.get(idOf(row));
    return state && isDue(state) ? [] : [over(row.key, resourceOf(row), state)];
  });
  return { findings: keys.filter(isDue).map(found), calm };
};

function found({ key_id, name, prefix, expires_at }: store.KeyState): Finding {
  const at = expires_at ?? '';
  return {
    key: `api_key:${key_id}`,
    since: now(),
    state: 'opened',
    notice: {
      type: 'api_key.expiring',
      severity: 'warning',
      title: `API key ${quoted(name)} expires on ${at.slice(0, 10)}`,
      text: `Requests with it are rejected from ${spelled(at)}. Extend it, or replace it in the programs that use it.`,
      path: PATH,
      resource: { kind: 'api_key', id: key_id, name },
      details: { expires_at, prefix },
    },
  };
}

function over(key: string, resource: Notice['resource'], state: store.KeyState | undefined): Calm {
  const expires_at = state?.expires_at ?? null;
  const until = expires_at === null ? 'It does not expire any more.' : `It expires on ${spelled(expires_at)}.`;
  return {
    key,
    atOnce: true,
    notice: {
      type: 'api_key.expiring',
      severity: 'info',
      title: `API key ${quoted(resource.name)} was ${state ? 'extended' : 'deleted'}`,
      text: state ? until : 'Requests with it are rejected.',
      path: PATH,
      resource,
      details: state ? { expires_at } : {},
    },
  };
}
