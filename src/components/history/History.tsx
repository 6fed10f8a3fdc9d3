import { lazy, Suspense } from 'react';
import { Disclosure } from '../../ui/controls/Disclosure.tsx';
import type { HistoryListProps } from './HistoryList.tsx';

const HistoryList = lazy(() => import('./HistoryList.tsx'));

/** The changes of a resource, loaded when it is opened. */
export function History(props: HistoryListProps) {
  return (
    <Disclosure summary="History">
      <Suspense fallback={<p className="text-fg-3">Loading the history…</p>}>
        <HistoryList {...props} />
      </Suspense>
    </Disclosure>
  );
}
