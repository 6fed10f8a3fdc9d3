import { useQuery } from '@tanstack/react-query';
import { Link } from '../../components/Link.tsx';
import { formatCount, plural } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { Sparkline } from '../../ui/Sparkline.tsx';
import { triggerStatsQuery } from './trigger-figures.ts';

/** The trigger's events of the last 24 hours over time, and the outcomes of their deliveries. */
export function TriggerFigures({ triggerId }: { triggerId: string }) {
  const { data } = useQuery(triggerStatsQuery);
  if (!data) return null;
  const found = data.triggers.find(({ trigger_id }) => trigger_id === triggerId);
  if (!found || found.events === 0) return <span className="text-fg-3">no events</span>;
  const { events, succeeded, failed, open, buckets } = found;
  const words = `${plural(events, 'event')} in the last 24 h; ${plural(succeeded, 'delivery', 'deliveries')} succeeded, ${failed} failed${open > 0 ? `, ${open} pending` : ''}`;
  return (
    <span className="flex min-w-0 items-center gap-2" title={words}>
      <Sparkline values={buckets} label={words} />
      <span className="min-w-0">
        <span aria-hidden className="data block truncate">
          {formatCount(events)}
        </span>
        {failed > 0 ? (
          <Link
            to={path.events({ trigger: triggerId, status: 'FAILED', time: '24h' })}
            className="link block truncate text-11 text-bad-fg"
          >
            {formatCount(failed)} failed
          </Link>
        ) : open > 0 ? (
          <span aria-hidden className="block truncate text-11 text-warn-fg">
            {formatCount(open)} pending
          </span>
        ) : succeeded > 0 ? (
          <span aria-hidden className="block truncate text-11 text-fg-3">
            all delivered
          </span>
        ) : null}
      </span>
    </span>
  );
}
