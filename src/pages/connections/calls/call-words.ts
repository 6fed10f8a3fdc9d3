import type { Tone } from '../../../ui/controls/Chip.tsx';

/** Successful responses have no emphasis; others do. */
export function toneOf(status: number | null): Exclude<Tone, 'accent'> {
  if (status === null || status >= 500) return 'bad';
  if (status >= 400) return 'warn';
  return status >= 300 ? 'mute' : 'ok';
}
