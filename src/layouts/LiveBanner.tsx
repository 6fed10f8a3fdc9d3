import { useOnline } from '../hooks/use-online.ts';
import { useSlow } from '../hooks/use-slow.ts';
import { Banner } from '../ui/Banner.tsx';
import { useLiveState } from './LiveStatus.tsx';

/** A break shorter than this is not shown. */
const PATIENCE_MS = 3_000;

/** Under the top bar, when the break lasts. */
export default function LiveBanner() {
  const online = useOnline();
  const long = useSlow(useLiveState() === 'reconnecting', PATIENCE_MS);
  if (!online)
    return (
      <Banner tone="warn">You are offline. This page may be out of date and refreshes once you are back online.</Banner>
    );
  if (!long) return null;
  return <Banner tone="warn">The service can’t be reached. Reconnecting; your changes are kept.</Banner>;
}
