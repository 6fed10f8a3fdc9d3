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
  if (!online) return <Banner tone="warn">Offline. What you see may be old; it is refreshed once you are back.</Banner>;
  if (!long) return null;
  return <Banner tone="warn">The service can’t be reached right now. Trying again; nothing you see is lost.</Banner>;
}
