import { lazy, Suspense } from 'react';
import { useAttention } from '../../layouts/attention.ts';

// most visits find no problem and never load it
const ProblemList = lazy(() => import('./ProblemList.tsx'));

/** The open problems, if there are any. */
export function OpenProblems() {
  const { problems, openProblems } = useAttention();
  if (problems.length === 0) return null;
  return (
    <section aria-label="Problems" className="px-4 pb-4 max-sm:px-3">
      <Suspense fallback={<div className="h-36" />}>
        <ProblemList problems={problems} count={openProblems} />
      </Suspense>
    </section>
  );
}
