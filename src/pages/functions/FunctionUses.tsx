/** The users of a function: destinations that deliver to it, and its callers of the last seven days. */
import type { HostedFunction } from '../../api/entities.ts';
import type { Reply } from '../../api/operation.ts';
import { q } from '../../api/queries.ts';
import { Link } from '../../components/Link.tsx';
import { formatCount, plural } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { Time } from '../../ui/Time.tsx';

export type Uses = Reply<'functionUses'>;

export const usesQuery = ({ function_id }: Pick<HostedFunction, 'function_id'>) =>
  q('functionUses', { params: { function_id } });

/** Calls are counted up to this number. */
const COUNTED_MAX = 100_000;
const SHOWN = 6;

export const countOf = (runs: number): string =>
  runs >= COUNTED_MAX ? `more than ${formatCount(COUNTED_MAX)} times` : plural(runs, 'time');

/** The destinations by name, as links. */
export function UsingDestinations({ uses: { destinations } }: { uses: Uses }) {
  if (destinations.length === 0) return <p>No destination delivers to it.</p>;
  return (
    <div>
      {plural(destinations.length, 'destination')} will fail:
      <ul aria-label="Destinations that deliver to it" className="list-disc pl-4">
        {destinations.slice(0, SHOWN).map(({ trigger_id, trigger_name, destination_id, name, status, transforms }) => (
          <li key={`${destination_id} ${transforms}`} className="wrap-anywhere">
            <Link className="link underline" to={path.destination(trigger_id, destination_id)}>
              {name}
            </Link>{' '}
            of {trigger_name}
            {transforms ? ', which transforms its requests with it' : ''}
            {status === 'DISABLED' ? ', disabled now' : ''}
          </li>
        ))}
        {destinations.length > SHOWN ? <li>and {formatCount(destinations.length - SHOWN)} more</li> : null}
      </ul>
    </div>
  );
}

/** The callers of the function's URL, without deliveries. */
export function Callers({ uses: { runs, deliveries, callers } }: { uses: Uses }) {
  const calls = runs - deliveries;
  if (calls === 0) return <p>No calls in the last 7 days.</p>;
  return (
    <div>
      It was called {countOf(calls)} in the last 7 days, by
      <ul aria-label="Callers" className="list-disc pl-4">
        {callers.slice(0, SHOWN).map(({ source_ip, user_agent, runs: times, last_at }) => (
          <li key={`${source_ip} ${user_agent}`} className="wrap-anywhere">
            <span className="data">{source_ip}</span>
            {user_agent ? ` with ${user_agent}` : ''}: {plural(times, 'call')}, last <Time at={last_at} />
          </li>
        ))}
      </ul>
    </div>
  );
}
