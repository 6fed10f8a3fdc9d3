import { type Calm, type Finding, idOf, type Notice, type Observe, resourceOf } from '../condition.ts';
import * as store from '../store/others.ts';
import { durationSince, lastError, quoted, shortened, spelled } from '../wording.ts';

type Failure = { code: string; message: string; since: string };

/** A connection is FAILED. It recovers when it is ACTIVE again, or deleted. */
export const observeConnections: Observe = async ({ tx, account_id, open, limit }) => {
  const ids = open.map(idOf);
  const [known, failed] = [
    await store.connections(tx, account_id, ids),
    await store.failedConnections(tx, account_id, ids, limit),
  ];
  const findings = [...known.filter(({ status }) => status === 'FAILED'), ...failed].map(found);
  const stateOf = new Map(known.map((each) => [each.connection_id, each]));
  const calm = open.flatMap((row): Calm[] => {
    const state = stateOf.get(idOf(row));
    // PENDING: a user is connecting it again.
    if (state && state.status !== 'ACTIVE') return [];
    const resource = state ? resourceFor(state) : resourceOf(row);
    const text = state
      ? `It was connected again after ${durationSince(row.since)}.`
      : `It was deleted ${durationSince(row.since)} after it had failed.`;
    return [{ key: row.key, atOnce: true, notice: recovered(resource, text, state !== undefined) }];
  });
  return { findings, calm };
};

function found(state: store.ConnectionState): Finding {
  const { connection_id, app, failure } = state;
  const { code, message, since } = failure
    ? (JSON.parse(failure) as Failure)
    : { code: null, message: null, since: state.last_updated_time };
  return {
    key: `connection:${connection_id}`,
    since,
    state: 'opened',
    notice: {
      type: 'connection.failed',
      severity: 'error',
      title: `Connection ${quoted(nameOf(state))} failed`,
      text: `Requests with this connection are rejected since ${spelled(since)}. Connect it again.${lastError(message)}`,
      path: `/connections/${connection_id}`,
      resource: resourceFor(state),
      last_error: shortened(message),
      details: { app, code },
    },
  };
}

const recovered = (resource: Notice['resource'], text: string, exists: boolean): Notice => ({
  type: 'connection.recovered',
  severity: 'info',
  title: `Connection ${quoted(resource.name)} ${exists ? 'recovered' : 'was deleted'}`,
  text,
  path: exists ? `/connections/${resource.id}` : '/connections',
  resource,
});

const nameOf = ({ name, app }: store.ConnectionState) => name ?? app;
const resourceFor = (state: store.ConnectionState): Notice['resource'] => ({
  kind: 'connection',
  id: state.connection_id,
  name: nameOf(state),
});
