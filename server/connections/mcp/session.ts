/**
 * The service as a client of an MCP server (Streamable HTTP), for one purpose: list tools, call one, check access.
 *
 * There are two kinds of servers: those of 2026-07-28 and later answer each request for itself, older ones require a
 * handshake. A server is asked in the new way first (`server/discover`), as the specification recommends; what it is
 * stays known for some minutes, so that a call costs no further request.
 */
import { createLookupCache, type LookupCache } from '../../lib/lookup-cache.ts';
import type { EgressPolicy } from '../../platform/egress/egress.ts';
import { openHandshakeSession } from './handshake-session.ts';
import { HEADER_MISMATCH } from './header-parameters.ts';
import type { Egress, Session } from './session-parts.ts';
import { createStatelessSession, discover } from './stateless-session.ts';
import { McpError, type McpPlace, McpTrouble } from './wire.ts';

type Kind = 'handshake' | 'stateless';

const KNOWN = { maxEntries: 2_000, ttlMs: 600_000 };
/** An older server may leave an unknown request without a response. */
const DISCOVER_MS = 10_000;

const kinds = new WeakMap<EgressPolicy, LookupCache<Kind>>();

function kindsOf(egress: EgressPolicy): LookupCache<Kind> {
  const known = kinds.get(egress) ?? createLookupCache<Kind>(KNOWN);
  kinds.set(egress, known);
  return known;
}

/** Opens a session with a server of either kind; `signal` aborts all its requests. */
export async function openSession(egress: Egress, place: McpPlace, signal: AbortSignal): Promise<Session> {
  const known = kindsOf(egress.egress);
  const key = `${place.origin}${place.path}`;
  const remember = (kind: Kind) => {
    known.drop(key);
    void known.find(key, () => Promise.resolve(kind));
  };
  const kind = known.recent(key);
  if (kind === 'stateless') return forgetful(createStatelessSession(egress, place, signal), () => known.drop(key));
  if (kind === 'handshake') {
    try {
      return await openHandshakeSession(egress, place, signal);
    } catch (error) {
      // The server may have been updated since.
      if (!mayBeOtherKind(error)) throw error;
      known.drop(key);
    }
  }
  const session = await discover(egress, place, signal, AbortSignal.timeout(DISCOVER_MS)).catch((error: unknown) => {
    if (mayBeOtherKind(error) || (error instanceof McpTrouble && error.kind === 'slow' && !signal.aborted)) return null;
    throw error;
  });
  if (session) {
    remember('stateless');
    return session;
  }
  const opened = await openHandshakeSession(egress, place, signal);
  remember('handshake');
  return opened;
}

/** Whether a server of the other kind could have responded so. Not for 401: the credentials have to be valid first. */
const mayBeOtherKind = (error: unknown): boolean =>
  error instanceof McpError ||
  (error instanceof McpTrouble && (error.kind === 'garbage' || (error.kind === 'refused' && error.status !== 401)));

/** A session that forgets the kind of its server after an error, which the next session finds out again. */
function forgetful(session: Session, forget: () => void): Session {
  return {
    ...session,
    async request(...request) {
      try {
        return await session.request(...request);
      } catch (error) {
        if (mayBeOtherKind(error) && !(error instanceof McpError && error.code === HEADER_MISMATCH)) forget();
        throw error;
      }
    },
  };
}
