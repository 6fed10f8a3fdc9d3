import { fromNow } from '../../lib/clock.ts';
import type { Finding, Observe } from '../condition.ts';
import * as store from '../store/others.ts';
import { quoted, shortened } from '../wording.ts';

/** Roll-backs while no node was evaluating are reported if they were not longer ago. */
const LATEST_MS = 86_400_000;

/** Gradual deploys that were rolled back automatically. */
export const observeRollBacks: Observe = async ({ tx, account_id, trigger, watching_since, limit }) => {
  const dayAgo = fromNow(-LATEST_MS);
  const since = watching_since > dayAgo ? watching_since : dayAgo;
  const rows = await store.rolledBack(tx, account_id, trigger.trigger_id, { since, limit });
  return { findings: rows.map(found), calm: [] };
};

function found({ key, function_id, name, version, live_version, reason, started_at }: store.RolledBack): Finding {
  return {
    key,
    since: started_at,
    state: 'happened',
    isMoment: true,
    notice: {
      type: 'function.rolled_back',
      severity: 'error',
      title: `Version ${version} of function ${quoted(name)} was rolled back`,
      text: `${reason ?? 'Too many of its calls failed.'} Version ${live_version} serves all calls.`,
      path: `/functions/${function_id}/versions`,
      resource: { kind: 'function', id: function_id, name },
      last_error: shortened(reason),
      details: { version, live_version },
    },
  };
}
