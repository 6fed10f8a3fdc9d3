/** The time ranges of charts, as labels of the control and as words in a sentence. */
import type { CallRange } from '../../contract/states.ts';

export const RANGES = [
  { value: '1h', label: '1 h' },
  { value: '24h', label: '24 h' },
  { value: '7d', label: '7 d' },
  { value: '30d', label: '30 d' },
] as const satisfies readonly { value: CallRange; label: string }[];

export const RANGE_WORDS: Record<CallRange, string> = {
  '1h': 'last hour',
  '24h': 'last 24 hours',
  '7d': 'last 7 days',
  '30d': 'last 30 days',
};
