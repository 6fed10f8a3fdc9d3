import { useQuery } from '@tanstack/react-query';
import { q } from '../../../api/queries.ts';
import { Link } from '../../../components/Link.tsx';
import { middleCut } from '../../../lib/format.ts';
import { path } from '../../../lib/path.ts';

/** A run's ID starts with its creation time in ms; the run's record is written a little later. */
const AROUND_MS = 2_000;

const runsAround = (run_id: string) => {
  const ms = Number.parseInt(run_id.replaceAll('-', '').slice(0, 12), 16);
  const [since, until] = [ms - AROUND_MS, ms + AROUND_MS].map((at) => new Date(at).toISOString());
  return q('runListAll', { query: { since, until, limit: 200 } });
};

/** The function run that made the call. The log has only the run's ID; its timestamp locates the run. */
export function RunOfCall({ runId }: { runId: string }) {
  const run = useQuery(runsAround(runId)).data?.runs.find(({ run_id }) => run_id === runId);
  if (!run) return <span className="data">{middleCut(runId)}</span>;
  return (
    <Link className="link" to={path.run(run.function_id, runId)}>
      Run {middleCut(runId)} of {run.function_name}
    </Link>
  );
}
