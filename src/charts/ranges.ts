/** How far back charts reach, as the API has it: for the control that chooses, and in a sentence. */
import type { CallRange } from '../../contract/states.ts';

export const RANGES = [
  { value: '1h', label: '1 h' },
  { value: '24h', label: '24 h' },
  { value: '7d', label: '7 d' },
] as const satisfies readonly { value: CallRange; label: string }[];

export const RANGE_WORDS: Record<CallRange, string> = {
  '1h': 'last hour',
  '24h': 'last 24 hours',
  '7d': 'last 7 days',
};
