import { useSyncExternalStore } from 'react';
import { type LiveState, liveState } from '../api/live/live-state.ts';
import { LiveIndicator } from '../ui/LivePill.tsx';

export function useLiveState(): LiveState {
  return useSyncExternalStore(liveState.subscribe, liveState.get);
}

/** The live status in the top bar. */
export default function LiveStatus() {
  const state = useLiveState();
  if (state === 'connecting') return null;
  return <LiveIndicator state={state === 'reconnecting' ? 'polling' : state} />;
}
