import { useState } from 'react';
import { useTimeout } from './use-timeout.ts';

/** True once something has been under way for so long that a person wonders. */
export function useSlow(underWay: boolean, afterMs = 6_000): boolean {
  const [slow, setSlow] = useState(false);
  useTimeout(() => setSlow(true), underWay ? afterMs : undefined);
  if (slow && !underWay) setSlow(false);
  return slow;
}
