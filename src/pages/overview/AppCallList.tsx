import { AppIcon } from '../../components/apps/AppIcon.tsx';
import { useAppNames } from '../../components/apps/app-names.ts';
import { Link } from '../../components/Link.tsx';
import { formatCount, formatDuration, formatPercent, plural } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { Sparkline } from '../../ui/Sparkline.tsx';
import type { AppCalls } from './overview-figures.ts';

/** Apps listed, busiest first; the connections page has the rest. */
const SHOWN = 5;

/** Gateway calls by app: count, errors and latency. */
export function AppCallList({ apps, range }: { apps: readonly AppCalls[] | undefined; range: string }) {
  const nameOf = useAppNames();
  const rest = (apps?.length ?? 0) - SHOWN;
  return (
    <div className="min-w-0">
      {apps?.length ? (
        <table className="chart-figures" aria-label={`Gateway calls by app, ${range}`}>
          <caption className="pb-1 text-left text-13 font-strong">Gateway calls</caption>
          <thead>
            <tr>
              <th scope="col">App</th>
              <th scope="col" className="max-sm:hidden">
                <span className="sr-only">Over time</span>
              </th>
              <th scope="col">Calls</th>
              <th scope="col">Errors</th>
              <th scope="col">p95</th>
            </tr>
          </thead>
          <tbody>
            {apps.slice(0, SHOWN).map((each) => (
              <Row key={each.app} calls={each} name={nameOf(each.app)} />
            ))}
          </tbody>
        </table>
      ) : (
        <>
          <h2 className="text-13">Gateway calls</h2>
          <p className="pt-2 text-12 text-fg-3">{apps === undefined ? null : `No app was called in the ${range}.`}</p>
        </>
      )}
      {rest > 0 ? (
        <p className="pt-1 text-12">
          <Link className="link" to={path.connections()}>
            {plural(rest, 'more app')}
          </Link>
        </p>
      ) : null}
    </div>
  );
}

function Row({ calls: { app, calls, errors, p95_ms, buckets }, name }: { calls: AppCalls; name: string }) {
  return (
    <tr>
      <th scope="row" className="w-full max-w-0">
        <span className="flex min-w-0 items-center gap-2">
          <AppIcon app={app} name={name} />
          <Link className="link min-w-0 truncate" title={name} to={path.connections({ app })}>
            {name}
          </Link>
        </span>
      </th>
      <td className="max-sm:hidden">
        <span className="inline-block overflow-hidden">
          <Sparkline values={buckets} label={`${name}: ${plural(calls, 'call')} over time`} />
        </span>
      </td>
      <td className="data">{formatCount(calls)}</td>
      <td className={errors > 0 ? 'data text-bad-fg' : 'none data'}>{formatPercent(errors / calls)}</td>
      <td className="data">{p95_ms === null ? '–' : formatDuration(p95_ms)}</td>
    </tr>
  );
}
