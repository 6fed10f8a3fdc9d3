/** Keys of the order of a destination: its deliveries with the same key are sent one after the other. */
import { createHash } from 'node:crypto';
import { isNumber } from '../../../contract/text/exact-json.ts';
import type { DestinationsTable } from '../../platform/database/schema.ts';

/** The key of all deliveries of a destination that is sent everything in order. */
const EVERYTHING = '00000000-0000-0000-0000-000000000001';

export type OrderColumns = Pick<DestinationsTable, 'order_by' | 'order_path' | 'order_end'>;

/**
 * The key of a delivery, null without an order. The value at the path is hashed, so a key of any length has the same
 * size. Without a text, number, true or false there, the delivery has its own key, so that it waits for no other.
 */
export function orderKeyOf(
  { order_by, order_path }: OrderColumns,
  delivery_id: string,
  payload: () => unknown,
): string | null {
  if (order_by === null) return null;
  if (order_by === 'ALL' || order_path === null) return EVERYTHING;
  const value = textAt(payload(), order_path.split('.').slice(1));
  if (value === undefined) return delivery_id;
  return createHash('sha256').update(`${order_path}\0${value}`).digest('hex').slice(0, 32);
}

function textAt(whole: unknown, names: string[]): string | undefined {
  let value = whole;
  for (const name of names) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return typeof value === 'string' || typeof value === 'boolean' || isNumber(value) ? String(value) : undefined;
}
