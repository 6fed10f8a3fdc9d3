import { useQuery } from '@tanstack/react-query';
import { Link } from '../../components/Link.tsx';
import { ShadowChip } from '../../components/shadows/ShadowChip.tsx';
import { plural } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { Time } from '../../ui/Time.tsx';
import { shadowsQuery } from './problem-queries.ts';

interface ProblemShadowsProps {
  readonly problemId: string;
  readonly functionId: string;
}

/** Versions that were tried on the requests of the problem; nothing without one. */
export function ProblemShadows({ problemId, functionId }: ProblemShadowsProps) {
  const shadows = useQuery(shadowsQuery(functionId)).data?.shadows ?? [];
  const own = shadows.filter(({ filter }) => filter.problem_id === problemId);
  if (own.length === 0) return null;
  return (
    <ul aria-label="Shadows" className="mt-2 grid gap-1">
      {own.map((shadow) => (
        <li key={shadow.shadow_id} className="flex min-h-6 flex-wrap items-center gap-x-3">
          <Link className="link" to={path.shadow(functionId, shadow.shadow_id)}>
            Version {shadow.version} on {plural(shadow.total, 'failed request')}
          </Link>
          <ShadowChip shadow={shadow} />
          <Time at={shadow.created_at} className="text-fg-3" />
        </li>
      ))}
    </ul>
  );
}
