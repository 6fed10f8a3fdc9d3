import { useQuery } from '@tanstack/react-query';
import { toApiError } from '../../api/api-error.ts';
import type { Connection } from '../../api/entities.ts';
import type { Reply } from '../../api/operation.ts';
import { q } from '../../api/queries.ts';
import { inkCss } from '../../charts/inks.ts';
import { Link } from '../../components/Link.tsx';
import { plural, sentenceCase } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { KeyValueList } from '../../ui/KeyValueList.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Time } from '../../ui/Time.tsx';
import { statsQuery } from './calls/call-query.ts';
import { OUTCOMES, shareWords, type Totals, totalsOf } from './calls/call-stats.ts';
import { Section } from './Section.tsx';

/** The age and expiry of the token, and the app's recent responses. */
export function Health({ connection }: { connection: Connection }) {
  const { token_expires_at, refreshed_at, refresh_at, connection_id, credentials_expire_at } = connection;
  const health = useQuery(q('connectionHealth', { params: { connection_id } })).data;
  return (
    <Section title="Health">
      <KeyValueList
        items={[
          ...(refreshed_at === null
            ? []
            : [
                {
                  name: 'Token',
                  value: (
                    <>
                      refreshed <Time at={refreshed_at} />
                    </>
                  ),
                },
              ]),
          ...(token_expires_at === null ? [] : [{ name: 'Expires', value: <Time at={token_expires_at} /> }]),
          ...(refreshed_at === null
            ? []
            : [
                {
                  name: 'Next refresh',
                  value: refresh_at === null ? <NoRefresh connection={connection} /> : <Time at={refresh_at} />,
                },
              ]),
          ...(credentials_expire_at === null
            ? []
            : [{ name: 'Credentials expire', value: <Time at={credentials_expire_at} /> }]),
          ...lastCheck(connection),
          { name: 'Responses, last 24 h', value: <Answers connectionId={connection_id} /> },
          ...lastCalls(health),
        ]}
      />
      {health && health.refreshes.length > 0 ? <Refreshes refreshes={health.refreshes} /> : null}
    </Section>
  );
}

function lastCheck({ check, next_check_at }: Connection) {
  return [
    ...(check === null
      ? []
      : [
          {
            name: 'Last check',
            value: (
              <>
                <Time at={check.at} />: {check.message}
              </>
            ),
          },
        ]),
    ...(next_check_at === null ? [] : [{ name: 'Next check', value: <Time at={next_check_at} /> }]),
  ];
}

type HealthReply = Reply<'connectionHealth'>;

function lastCalls(health: HealthReply | undefined) {
  if (!health) return [];
  const { last_success, last_error, refresh_failing_since } = health;
  const call = (method: string, path: string) => <span className="data wrap-anywhere">{`${method} ${path}`}</span>;
  return [
    ...(refresh_failing_since === null
      ? []
      : [{ name: 'Refresh failing', value: <Time at={refresh_failing_since} /> }]),
    {
      name: 'Last success',
      value:
        last_success === null ? (
          'no call yet'
        ) : (
          <>
            <Time at={last_success.at} />, {call(last_success.method, last_success.path)}
          </>
        ),
    },
    ...(last_error === null
      ? []
      : [
          {
            name: 'Last error',
            value: (
              <>
                <Time at={last_error.at} />, {call(last_error.method, last_error.path)}: {last_error.message}
              </>
            ),
          },
        ]),
  ];
}

const REFRESHES_SHOWN = 5;

function Refreshes({ refreshes }: { refreshes: HealthReply['refreshes'] }) {
  return (
    <div className="mt-3">
      <h3 className="mb-1 text-12 text-fg-3">Last refreshes</h3>
      <ul aria-label="Last refreshes" className="grid gap-1">
        {refreshes.slice(0, REFRESHES_SHOWN).map(({ at, outcome, message }) => (
          <li key={at} className="flex min-w-0 items-baseline gap-2">
            <span className={outcome === 'REFRESHED' ? 'text-fg-2' : 'text-bad-fg'}>{sentenceCase(outcome)}</span>
            <Time at={at} />
            {message === null ? null : <span className="min-w-0 wrap-anywhere text-fg-2">{message}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}

function NoRefresh({ connection: { status, token_expires_at } }: { connection: Connection }) {
  if (status === 'FAILED') return 'not until it is reconnected';
  return token_expires_at === null ? 'none, it does not expire' : 'on the next call that needs it';
}

function Answers({ connectionId }: { connectionId: string }) {
  const stats = useQuery(statsQuery(connectionId, '24h'));
  if (stats.isError) return `could not be loaded: ${toApiError(stats.error).message}`;
  if (!stats.data) return <Skeleton className="w-40" />;
  const totals = totalsOf(stats.data);
  if (totals.count === 0) return 'no calls';
  return (
    <>
      <Link className="link underline underline-offset-2" to={path.connection(connectionId, 'calls')}>
        {plural(totals.count, 'call')}
      </Link>
      : {shareWords(totals)}
      <ShareBar totals={totals} />
    </>
  );
}

/** The response shares as a bar; the text above states them. */
function ShareBar({ totals }: { totals: Totals }) {
  return (
    <span aria-hidden className="mt-1.5 flex h-1.5 max-w-80 gap-px overflow-hidden rounded-sm bg-sunken">
      {OUTCOMES.filter(({ key }) => totals[key] > 0).map(({ key, ink }) => (
        <i key={key} className="ui-ink min-w-0.5" style={{ flexGrow: totals[key], background: inkCss(ink) }} />
      ))}
    </span>
  );
}
