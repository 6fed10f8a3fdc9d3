import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { ensure, type PagesQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { useSession } from '../../api/session.ts';
import { usePreference } from '../../hooks/use-preference.ts';
import type { Handle } from '../../layouts/handle.ts';
import { ScrollPage } from '../../layouts/ScrollPage.tsx';
import { PageHead } from '../../ui/PageHead.tsx';
import { NeedsAttention } from './NeedsAttention.tsx';
import { loadOverview } from './overview-load.ts';
import { connectionsQuery, latestEventsQuery, latestRunsQuery, notifyingTriggersQuery } from './overview-queries.ts';
import { demoTasksShown, firstSteps, stepsWillShow, useStepsDone } from './steps-done.ts';

export const handle: Handle = { crumb: 'Overview' };
export const loader = async () => {
  void loadLatest();
  await Promise.all([loadOverview(), ensure(notifyingTriggersQuery)]);
  if (notifyWillShow()) await loadNotify();
  // most visits happen after the last step and never load them
  if (stepsWillShow()) await loadFirstSteps();
  return null;
};

const loadFirstSteps = () => import('./first-steps/FirstSteps.tsx');
const FirstSteps = lazy(loadFirstSteps);
const loadDemoTasks = () => import('./DemoTasks.tsx');
const DemoTasks = lazy(loadDemoTasks);
const loadNotify = () => import('./NotifyButton.tsx');
const NotifyButton = lazy(loadNotify);
/** Until a trigger reports failures; the button's dialog stays open once it has created one. */
const notifyWillShow = () => queryClient.getQueryData(notifyingTriggersQuery.queryKey)?.triggers.length === 0;
/** The charts load separately: the page is rendered without them. */
const OverviewFigures = lazy(() => import('./OverviewFigures.tsx'));
const loadLatest = () => import('./LatestLists.tsx');
const LatestLists = lazy(loadLatest);
const SHOWN = 8;

function useNewest<Page, Row>(query: PagesQuery<Page>, rowsOf: (page: Page) => readonly Row[]): readonly Row[] {
  const { data } = useInfiniteQuery(query);
  const first = data?.pages[0];
  return first === undefined ? [] : rowsOf(first).slice(0, SHOWN);
}

/** Problems first, then statistics over time, then the latest activity. */
export function Component() {
  const isLeft = Object.values(useStepsDone()).includes(false);
  const [steps] = usePreference(firstSteps);
  const [demoTasks] = usePreference(demoTasksShown);
  const { demo } = useSession();
  // once shown they stay for this visit, with what came of the last one
  const [wasLeft] = useState(isLeft);
  const hasCalls = useQuery(connectionsQuery).data?.connections.some(({ last_used_time }) => last_used_time !== null);
  const events = useNewest(latestEventsQuery, (page) => page.events);
  const runs = useNewest(latestRunsQuery, (page) => page.runs);
  return (
    <>
      <PageHead
        title="Overview"
        actions={
          <Suspense>
            <NotifyButton />
          </Suspense>
        }
      />
      <ScrollPage label="Overview">
        {demo && demoTasks === 'shown' ? (
          <Suspense>
            <DemoTasks />
          </Suspense>
        ) : null}
        {steps === 'shown' && (isLeft || wasLeft) ? (
          <Suspense>
            <FirstSteps />
          </Suspense>
        ) : null}
        <NeedsAttention />
        {events.length + runs.length > 0 || hasCalls ? (
          <Suspense fallback={<div aria-busy className="h-96" />}>
            <OverviewFigures />
          </Suspense>
        ) : null}
        <Suspense fallback={<div aria-busy className="h-96" />}>
          <LatestLists events={events} runs={runs} />
        </Suspense>
      </ScrollPage>
    </>
  );
}
