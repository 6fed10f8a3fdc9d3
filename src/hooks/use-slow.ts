import { useState } from 'react';
import { useTimeout } from './use-timeout.ts';

/** True once an operation has been in progress for `afterMs`, long enough for the user to notice. */
export function useSlow(inProgress: boolean, afterMs = 6_000): boolean {
  const [slow, setSlow] = useState(false);
  useTimeout(() => setSlow(true), inProgress ? afterMs : undefined);
  if (slow && !inProgress) setSlow(false);
  return slow;
}
