import { MASK } from '../../contract/limits.ts';

/** The masked form of a secret in responses: its prefix and last four characters, which distinguish it from others. */
export function mask(secret: string, prefix = ''): string {
  const rest = secret.slice(prefix.length);
  return prefix + MASK + (rest.length >= 12 ? rest.slice(-4) : '');
}

export const isMask = (text: string): boolean => text.includes(MASK);
