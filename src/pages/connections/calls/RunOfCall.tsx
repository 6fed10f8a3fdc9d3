import { useQuery } from '@tanstack/react-query';
import { q } from '../../../api/queries.ts';
import { Link } from '../../../components/Link.tsx';
import { middleCut } from '../../../lib/format.ts';
import { path } from '../../../lib/path.ts';

/** A run's id begins with the millisecond it was made in; the run is noted a little later. */
const AROUND_MS = 2_000;

const runsAround = (run_id: string) => {
  const ms = Number.parseInt(run_id.replaceAll('-', '').slice(0, 12), 16);
  const [since, until] = [ms - AROUND_MS, ms + AROUND_MS].map((at) => new Date(at).toISOString());
  return q('runListAll', { query: { since, until, limit: 200 } });
};

/** The run of a function that made the call: only its id is noted, its moment finds the rest. */
export function RunOfCall({ runId }: { runId: string }) {
  const run = useQuery(runsAround(runId)).data?.runs.find(({ run_id }) => run_id === runId);
  if (!run) return <span className="data">{middleCut(runId)}</span>;
  return (
    <Link className="link" to={path.run(run.function_id, runId)}>
      Run {middleCut(runId)} of {run.function_name}
    </Link>
  );
}
