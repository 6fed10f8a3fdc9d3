import { useEffect, useState } from 'react';

/** True once something has been under way for so long that a person wonders. */
export function useSlow(underWay: boolean, afterMs = 6_000): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!underWay) return;
    const timer = setTimeout(() => setSlow(true), afterMs);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [underWay, afterMs]);
  return slow;
}
