import { useQuery } from '@tanstack/react-query';
import { q } from '../../../api/queries.ts';
import { Link } from '../../../components/Link.tsx';
import { formatCount } from '../../../lib/format.ts';
import { path } from '../../../lib/path.ts';

/** The number of failed runs in the last 24 hours, as a link to them; nothing if none failed. */
export function FailedRuns({ functionId }: { functionId: string }) {
  const { data } = useQuery(q('functionStats'));
  const failed = data?.functions.find(({ function_id }) => function_id === functionId)?.failed ?? 0;
  if (failed === 0) return null;
  return (
    <Link
      className="link inline-flex min-h-6 flex-none items-center text-12 text-bad-fg underline underline-offset-2"
      to={path.function(functionId, 'runs', { status: 'FAILED', since: '24h' })}
    >
      {formatCount(failed)} failed in 24 h
    </Link>
  );
}
