import { BlockedAddress, type EgressPolicy } from './egress.ts';

/** Why the gateway may not call the service at its base URL; null if it may, or while that is not known. */
export type OwnUrl = () => string | null;

/** Names can change their addresses. */
const CHECKED_MS = 60_000;

/** Checks the URL now, and in the background when it is asked for a minute later: no request waits for a resolver. */
export function createOwnUrl(egress: EgressPolicy, url: string): OwnUrl {
  let refusal: string | null = null;
  let checkedMs = 0;
  const check = async () => {
    checkedMs = Date.now();
    refusal = await egress.check(url).then(() => null, reasonOf);
  };
  void check();
  return () => {
    if (Date.now() - checkedMs > CHECKED_MS) void check();
    return refusal;
  };
}

const reasonOf = (error: unknown) => (error instanceof BlockedAddress ? error.message : null);
