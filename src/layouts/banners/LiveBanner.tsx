import { useOnline } from '../../hooks/use-online.ts';
import { useSlow } from '../../hooks/use-slow.ts';
import { Banner } from '../../ui/Banner.tsx';
import { useLiveState } from '../LiveStatus.tsx';

/** Shorter interruptions are not reported. */
const DELAY_MS = 3_000;

/** A banner below the top bar while the service cannot be reached. */
export default function LiveBanner() {
  const online = useOnline();
  const long = useSlow(useLiveState() === 'reconnecting', DELAY_MS);
  if (!online)
    return (
      <Banner tone="warn">You are offline. This page may be out of date and refreshes once you are back online.</Banner>
    );
  if (!long) return null;
  return <Banner tone="warn">The service can’t be reached. Reconnecting. Unsaved changes are kept.</Banner>;
}
