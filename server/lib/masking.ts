import { MASK } from '../../contract/limits.ts';

/** A secret as reads show it: its prefix and last four characters, so that its owner can distinguish it from others. */
export function mask(secret: string, prefix = ''): string {
  const rest = secret.slice(prefix.length);
  return prefix + MASK + (rest.length >= 12 ? rest.slice(-4) : '');
}

export const isMask = (text: string): boolean => text.includes(MASK);
