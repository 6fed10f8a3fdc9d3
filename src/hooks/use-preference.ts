import { useSyncExternalStore } from 'react';
import type { Preference } from '../stores/preference.ts';

/** The value of a preference and its setter. */
export function usePreference<T extends string>(preference: Preference<T>): readonly [T, (value: T) => void] {
  const value = useSyncExternalStore(preference.subscribe, preference.get, preference.get);
  return [value, preference.set];
}
