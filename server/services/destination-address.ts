import { badRequest } from '../lib/failure.ts';
import * as functionStore from '../store/functions.ts';
import type { Ctx } from './context.ts';
import { labelIn } from './delivery/call-inside.ts';
import { isOpen } from './function-calls.ts';

/**
 * Refuses, naming the field, an address that deliveries may not go to. A function of this service is always allowed
 * when the account may call it; any other host must not lie in a private network.
 */
export async function checkAddress(ctx: Ctx, address: string, field: string): Promise<void> {
  if (/[\u0000-\u0020\u007f]/.test(address)) throw badRequest(`${field}: expected an address without spaces`);
  const label = labelIn(ctx, address);
  if (label) {
    const fn = await functionStore.withLabel(ctx.db, label);
    if (fn && (fn.account_id === ctx.account_id || isOpen(fn))) return;
    throw badRequest(`${field}: no function of this account has the address ${new URL(address).origin}`);
  }
  try {
    await ctx.egress.check(address);
  } catch (error) {
    throw badRequest(`${field}: ${error instanceof Error ? error.message : 'the address is not allowed'}`);
  }
}

/** What a destination is called until somebody names it. */
export function nameOfAddress(ctx: Ctx, address: string): string {
  return (labelIn(ctx, address) ?? new URL(address).host).slice(0, 100);
}
