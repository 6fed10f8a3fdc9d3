import { randomInt } from 'node:crypto';
import { isLabelTaken } from '../store/functions.ts';
import type { Tx } from '../store/schema.ts';

const SLUG_MAX_CHARS = 50;
const SUFFIX_CHARS = 5;
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

/** The name as the first part of a host name: "Größe prüfen!" → "grosse-prufen". */
export function slugOf(name: string): string {
  const slug = name
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_MAX_CHARS)
    .replace(/^-+|-+$/g, '');
  return slug || 'function';
}

/** The name's slug when it is free, else with a suffix; it stays free until the transaction ends. */
export async function freeLabel(tx: Tx, name: string): Promise<string> {
  const slug = slugOf(name);
  let label = slug;
  while (await isLabelTaken(tx, label)) label = `${slug}-${suffix()}`;
  return label;
}

const suffix = () => Array.from({ length: SUFFIX_CHARS }, () => LETTERS[randomInt(LETTERS.length)]).join('');
