import { useInfiniteQuery } from '@tanstack/react-query';
import { type LoaderFunctionArgs, useParams } from 'react-router';
import { ensure } from '../../../api/queries.ts';
import { RunsTable } from '../../../components/runs/RunsTable.tsx';
import { runsQuery } from '../../../components/runs/run-query.ts';
import type { Handle } from '../../../layouts/handle.ts';
import { idIn, versionsQuery } from '../function-queries.ts';

export const handle: Handle = { crumb: 'Runs' };
export const loader = ({ params, request }: LoaderFunctionArgs) =>
  ensure(runsQuery(new URL(request.url).searchParams, idIn(params)));

/** The runs of the function. */
export function Component() {
  const functionId = idIn(useParams());
  const { data } = useInfiniteQuery(versionsQuery(functionId));
  const versions = data?.pages.flatMap((page) => page.versions.map(({ version }) => version));
  return <RunsTable functionId={functionId} versions={versions} />;
}
