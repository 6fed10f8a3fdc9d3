import { useSyncExternalStore } from 'react';
import { type LiveState, liveState } from '../api/live/live-state.ts';
import { LiveIndicator } from '../ui/LivePill.tsx';
import { FaviconState } from './FaviconState.tsx';

export function useLiveState(): LiveState {
  return useSyncExternalStore(liveState.subscribe, liveState.get);
}

/** The live status in the top bar. */
export default function LiveStatus() {
  const state = useLiveState();
  return (
    <>
      <FaviconState />
      {state === 'connecting' ? null : <LiveIndicator state={state === 'reconnecting' ? 'polling' : state} />}
    </>
  );
}
