import type { LoaderFunctionArgs } from 'react-router';
import { ensure } from '../../api/queries.ts';
import { RunsTable } from '../../components/runs/RunsTable.tsx';
import { runsQuery } from '../../components/runs/run-query.ts';
import type { Handle } from '../../layouts/handle.ts';
import { PageHead } from '../../ui/PageHead.tsx';

export const handle: Handle = { crumb: 'Runs' };
export const loader = ({ request }: LoaderFunctionArgs) => ensure(runsQuery(new URL(request.url).searchParams));

/** Runs of every function. */
export function Component() {
  return (
    <>
      <PageHead title="Runs" />
      <RunsTable />
    </>
  );
}
