import { randomInt } from 'node:crypto';
import type { Tx } from '../platform/database/schema.ts';
import { isLabelTaken } from './store/functions.ts';
import { takeBack } from './store/reserved-labels.ts';

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

/**
 * The name's slug if it is free for this account, otherwise with a suffix; locked until the transaction ends. A label
 * that the account has reserved is used again from then on.
 */
export async function freeLabel(tx: Tx, account_id: string, name: string): Promise<string> {
  const slug = slugOf(name);
  let label = slug;
  while (await isLabelTaken(tx, account_id, label)) label = `${slug}-${suffix()}`;
  await takeBack(tx, account_id, label);
  return label;
}

const suffix = () => Array.from({ length: SUFFIX_CHARS }, () => LETTERS[randomInt(LETTERS.length)]).join('');
