import { useInfiniteQuery } from '@tanstack/react-query';
import type { ProblemDetail, ProblemFailure } from '../../api/entities.ts';
import { Link } from '../../components/Link.tsx';
import { KIND_NOUNS } from '../../components/problems/problem-words.ts';
import { middleCut, plural, sentenceCase } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Time } from '../../ui/Time.tsx';
import { failuresQuery } from './problem-queries.ts';

/** Every delivery, run, call, … of a problem, the newest first. */
export function FailureTable({ problemId, parts }: { problemId: string; parts: ProblemDetail['parts'] }) {
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage, error } = useInfiniteQuery(failuresQuery(problemId));
  if (error) return <p className="text-bad-fg">The failures could not be loaded: {error.message}</p>;
  if (!data) return <Skeleton className="h-24" />;
  const failures = data.pages.flatMap((page) => page.failures);
  if (failures.length === 0) return <p className="text-fg-2">All of its failures are past the retention.</p>;
  const names = new Map(parts.map(({ resource_id, name }) => [resource_id, name]));
  return (
    <>
      <ul className="grid rounded-lg border border-line-2">
        {failures.map((failure) => (
          <li
            key={failure.subject_id}
            className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-3 py-1.5 first:border-t-0"
          >
            <Time at={failure.last_at} className="w-28 text-fg-3" />
            <FailureLink failure={failure} />
            <span className="min-w-0 flex-1 truncate text-fg-2">{placeOf(failure, names)}</span>
            <span className="text-12 text-fg-3">{plural(failure.failures, 'failure')}</span>
          </li>
        ))}
      </ul>
      {hasNextPage ? (
        <p className="pt-3">
          <Button pending={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </p>
      ) : null}
    </>
  );
}

/** The resource that failed. */
function placeOf(
  { destination_id, function_id, connection_id, trigger_id }: ProblemFailure,
  names: Map<string, string>,
) {
  const id = destination_id ?? function_id ?? connection_id ?? trigger_id ?? '';
  return names.get(id) ?? '';
}

function FailureLink({ failure }: { failure: ProblemFailure }) {
  const text = `${sentenceCase(KIND_NOUNS[failure.kind][0])} ${middleCut(failure.subject_id)}`;
  const to = linkOf(failure);
  return to === null ? (
    <span className="data">{text}</span>
  ) : (
    <Link className="link data" to={to}>
      {text}
    </Link>
  );
}

function linkOf({ kind, subject_id, event_id, trigger_id, function_id, connection_id }: ProblemFailure): string | null {
  if (kind === 'DELIVERY') return trigger_id && event_id ? path.event(trigger_id, event_id) : null;
  if (kind === 'RUN') return function_id ? path.run(function_id, subject_id) : null;
  if (kind === 'CALL') return connection_id ? path.gatewayCall(connection_id, subject_id) : null;
  if (kind === 'RENEWAL') return path.connection(subject_id);
  return trigger_id ? path.trigger(trigger_id, kind === 'REJECTION' ? 'rejections' : 'events') : null;
}
