/**
 * The change feed: what was committed is said once, as a typed change, and everything that depends on it reacts:
 * caches, lanes, processes and code search on every node, open consoles. The reactions of each noun are in
 * server/reactions.ts.
 */
import type { LiveChange } from '../../contract/live.ts';

/** What changed, by the noun of the API. Ids only: it travels to other nodes. */
export type Change =
  | { noun: 'account' }
  /** `hash` of a key that is known to be used; null of a new one. */
  | { noun: 'api_key'; hash: string | null }
  | { noun: 'app'; app: string }
  | { noun: 'connection'; connection_id: string; status: string }
  /** It was used, or its app answered: nothing that is cached depends on it. */
  | { noun: 'connection_use'; connection_id: string; status: string }
  /** Only what requests are signed with. */
  | { noun: 'credentials'; connection_id: string }
  | { noun: 'call'; connection_id: string }
  /** `ingress_hash` where its address, its secret or how it verifies may have changed. */
  | { noun: 'trigger'; trigger_id: string; ingress_hash?: string | null }
  /** Its address or settings, or it answers again: what its circuit breaker knew no longer counts. */
  | { noun: 'destination'; trigger_id: string; destination_id: string }
  | { noun: 'rejection'; trigger_id: string }
  | { noun: 'event'; event_id: string; trigger_id: string }
  | { noun: 'delivery'; event_id: string; trigger_id: string; delivery_id: string; status: string }
  | { noun: 'replay'; replay_id: string; status: string }
  | { noun: 'function'; function_id: string }
  | { noun: 'star'; function_id: string }
  | { noun: 'run'; run_id: string; function_id: string; status: string };
export type Noun = Change['noun'];
export type ChangeOf<N extends Noun> = Extract<Change, { noun: N }>;

/** What a change of a noun does. */
export type Reactions<Parts, N extends Noun> = {
  /** On every node, at once on this one: what depends on it forgets, restarts or looks again. */
  onEveryNode: readonly ((parts: Parts, change: ChangeOf<N>, account_id: string) => void)[];
  /** The live change for open consoles of the account; null: none. */
  shown: (change: ChangeOf<N>) => LiveChange | null;
};
export type ReactionTable<Parts> = { [N in Noun]: Reactions<Parts, N> };

/** To be called after the commit. */
export type Changed = (account_id: string, change: Change) => void;

export type Changes = {
  changed: Changed;
  /** A change that another node committed. Consoles get it from the live stream, which resumes. */
  receive: Changed;
};

/** `broadcast` is only called for what other nodes react to. */
export function createChanges<Parts>(
  table: ReactionTable<Parts>,
  ways: {
    parts: () => Parts;
    broadcast: Changed;
    show: (account_id: string, change: LiveChange) => void;
  },
): Changes {
  // The table has the reactions of just this noun, which its type can't say of a noun that is read from a change.
  const reactionsTo = (change: Change) => table[change.noun] as Reactions<Parts, Noun>;

  function receive(account_id: string, change: Change): void {
    // A node of another version may broadcast an unknown noun.
    for (const react of reactionsTo(change)?.onEveryNode ?? []) react(ways.parts(), change, account_id);
  }

  return {
    receive,
    changed(account_id, change) {
      const { onEveryNode, shown } = reactionsTo(change);
      if (onEveryNode.length > 0) {
        receive(account_id, change);
        ways.broadcast(account_id, change);
      }
      const live = shown(change);
      if (live) ways.show(account_id, live);
    },
  };
}
