import { useQuery } from '@tanstack/react-query';
import { toApiError } from '../../api/api-error.ts';
import type { Connection } from '../../api/entities.ts';
import { inkCss } from '../../charts/inks.ts';
import { Link } from '../../components/Link.tsx';
import { plural } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { KeyValueList } from '../../ui/KeyValueList.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Time } from '../../ui/Time.tsx';
import { statsQuery } from './calls/call-query.ts';
import { OUTCOMES, shareWords, type Totals, totalsOf } from './calls/call-stats.ts';
import { Section } from './Section.tsx';

/** The age and expiry of the token, and the app's recent responses. */
export function Health({ connection }: { connection: Connection }) {
  const { token_expires_at, refreshed_at, refresh_at, connection_id } = connection;
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
          { name: 'Responses, last 24 h', value: <Answers connectionId={connection_id} /> },
        ]}
      />
    </Section>
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
