import type { CaptureRule } from '../../connections/upstream/upstream.ts';
import { idAt } from '../../lib/ids.ts';
import type { Services } from '../../platform/context.ts';
import type { Call } from '../forwarding/call.ts';
import { Capture } from './capture.ts';

/** Captures the call if a rule selects it and the memory for captures is not used up. */
export function beginCapture({ memory }: Services, rules: readonly CaptureRule[], call: Call): void {
  const nowMs = Date.now();
  if (!rules.some(({ untilMs, percent }) => nowMs < untilMs && Math.random() * 100 < percent)) return;
  if (!memory.captures.reserve(call.noted.account_id)) return;
  call.capture = new Capture();
  call.noted.call_id = idAt(call.noted.at_ms);
}
