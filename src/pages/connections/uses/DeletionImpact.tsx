import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { toApiError } from '../../../api/api-error.ts';
import type { Connection } from '../../../api/entities.ts';
import { Link } from '../../../components/Link.tsx';
import { plural } from '../../../lib/format.ts';
import { path } from '../../../lib/path.ts';
import { SkeletonLines } from '../../../ui/Skeleton.tsx';
import { Time } from '../../../ui/Time.tsx';
import { type Uses, usesQuery } from './uses-query.ts';

const SHOWN = 6;

/** What breaks when the connection is deleted. */
export function DeletionImpact({ connection, appName }: { connection: Connection; appName: string }) {
  const { connection_id, last_used_time } = connection;
  const uses = useQuery(usesQuery(connection_id));
  if (uses.isError) return <p className="text-bad-fg">What uses it is unknown: {toApiError(uses.error).message}</p>;
  if (!uses.data) return <SkeletonLines label="Checking what uses it" />;
  const { triggers, trigger_count, destinations, functions, api_keys } = uses.data;
  return (
    <ul className="list-disc pl-4">
      <li>
        {last_used_time === null ? (
          'It has not been used yet.'
        ) : (
          <>
            It was last used <Time at={last_used_time} className="text-fg" />. Calls that name it will be rejected.
          </>
        )}
      </li>
      <Unnamed uses={uses.data} appName={appName} />
      {trigger_count === 0 ? <li>No trigger uses it.</li> : null}
      {triggers.slice(0, SHOWN).map(({ trigger_id, name }) => (
        <li key={trigger_id}>
          The trigger{' '}
          <Link className="link underline underline-offset-2" to={path.trigger(trigger_id)}>
            {name}
          </Link>{' '}
          is disabled.
        </li>
      ))}
      {trigger_count > SHOWN ? <li>{plural(trigger_count - SHOWN, 'other trigger')} too.</li> : null}
      {destinations.slice(0, SHOWN).map(({ trigger_id, trigger_name, destination_id, name }) => (
        <li key={destination_id}>
          Deliveries to{' '}
          <Link className="link underline underline-offset-2" to={path.destination(trigger_id, destination_id)}>
            {name}
          </Link>{' '}
          of the trigger {trigger_name} will fail.
        </li>
      ))}
      {destinations.length > SHOWN ? (
        <li>So will those to {plural(destinations.length - SHOWN, 'other destination')}.</li>
      ) : null}
      {functions.slice(0, SHOWN).map(({ function_id, name, calls }) => (
        <li key={function_id}>
          The function{' '}
          <Link className="link underline underline-offset-2" to={path.function(function_id)}>
            {name}
          </Link>{' '}
          {calledOften(calls)}
        </li>
      ))}
      {api_keys.slice(0, SHOWN).map(({ key_id, name, calls }) => (
        <li key={key_id}>
          The API key <span className="text-fg">{name}</span> {calledOften(calls)}
        </li>
      ))}
    </ul>
  );
}

const calledOften = (calls: number): ReactNode =>
  calls === 0
    ? 'names it and has not called with it in 7 days.'
    : `called with it: ${plural(calls, 'call')} in 7 days.`;

/** The impact on calls without a connection ID. */
function Unnamed({ uses: { is_used_by_default, next_default }, appName }: { uses: Uses; appName: string }) {
  if (!is_used_by_default) return null;
  return next_default ? (
    <li>
      Calls to {appName} without a connection ID will use{' '}
      <span className="wrap-anywhere text-fg">{next_default.name ?? next_default.connection_id}</span> instead.
    </li>
  ) : (
    <li>
      It is the only active connection of {appName}: every call to {appName} will be rejected.
    </li>
  );
}
