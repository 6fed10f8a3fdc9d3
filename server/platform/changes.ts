/**
 * The change feed: each committed change is published once, as a typed change, and its dependents react: caches, lanes,
 * processes and code search on every node, and open consoles. The reactions per noun are in server/reactions.ts.
 */
import type { LiveChange } from '../../contract/live.ts';

/** A change of a noun of the API. Contains ids only, because it is sent to other nodes. */
export type Change =
  | { noun: 'account' }
  /** A session of a user began or ended. */
  | { noun: 'session' }
  /** `hash` of a key that may be cached; null for a new key. */
  | { noun: 'api_key'; hash: string | null }
  | { noun: 'app'; app: string }
  | { noun: 'connection'; connection_id: string; status: string }
  /** It was used, or its app responded: no cache depends on it. */
  | { noun: 'connection_use'; connection_id: string; status: string }
  /** Only the credentials that authorize requests changed. */
  | { noun: 'credentials'; connection_id: string }
  /** Null: calls that were refused. */
  | { noun: 'call'; connection_id: string | null }
  | { noun: 'capture' }
  /** `ingress_hash` if its URL, its secret or its verification may have changed. */
  | { noun: 'trigger'; trigger_id: string; ingress_hash?: string | null }
  /**
   * Its URL or settings changed, or it responds again: the state of its circuit breaker is reset. `pace`: it was paused
   * or resumed, or its limits changed.
   */
  | { noun: 'destination'; trigger_id: string; destination_id: string; pace?: boolean }
  | { noun: 'rejection'; trigger_id: string }
  | { noun: 'event'; event_id: string; trigger_id: string }
  | { noun: 'delivery'; event_id: string; trigger_id: string; delivery_id: string; status: string }
  /** Deliveries to this destination were canceled: lanes release what waits in them. */
  | { noun: 'cancellation'; destination_id: string }
  /** The circuit breaker of a destination opened on this node, for this long. */
  | { noun: 'circuit'; destination_id: string; pause_ms: number }
  | Extract<LiveChange, { noun: 'export' }>
  | { noun: 'saved_filter'; saved_filter_id: string }
  | { noun: 'saved_request'; saved_request_id: string }
  | { noun: 'replay'; replay_id: string; status: string }
  | { noun: 'problem'; problem_id: string }
  | { noun: 'function'; function_id: string }
  | { noun: 'shadow'; function_id: string; shadow_id: string }
  | { noun: 'star'; function_id: string }
  | { noun: 'run'; run_id: string; function_id: string; status: string };
export type Noun = Change['noun'];
export type ChangeOf<N extends Noun> = Extract<Change, { noun: N }>;

/** The reactions to a change of a noun. */
export type Reactions<Parts, N extends Noun> = {
  /** Run only on the node that committed the change. */
  onThisNode?: readonly ((parts: Parts, change: ChangeOf<N>, account_id: string) => void)[];
  /** Run only on the other nodes. */
  onOtherNodes?: readonly ((parts: Parts, change: ChangeOf<N>, account_id: string) => void)[];
  /** Run on every node, on this one immediately: they evict, restart or poll. */
  onEveryNode: readonly ((parts: Parts, change: ChangeOf<N>, account_id: string) => void)[];
  /** The live change for open consoles of the account; null: none. */
  shown: (change: ChangeOf<N>) => LiveChange | null;
};
export type ReactionTable<Parts> = { [N in Noun]: Reactions<Parts, N> };

/** Call it after the commit. */
export type Changed = (account_id: string, change: Change) => void;

export type Changes = {
  changed: Changed;
  /** Handles a change that another node committed. Consoles receive it from the live stream, which resumes. */
  receive: Changed;
};

/** `broadcast` is called only for changes that other nodes react to. */
export function createChanges<Parts>(
  table: ReactionTable<Parts>,
  ways: {
    parts: () => Parts;
    broadcast: Changed;
    show: (account_id: string, change: LiveChange) => void;
  },
): Changes {
  // The entry has the reactions of this noun, which the type of a lookup by `change.noun` cannot express.
  const reactionsTo = (change: Change) => table[change.noun] as Reactions<Parts, Noun>;

  return {
    receive(account_id, change) {
      // A node of another version may broadcast an unknown noun.
      const { onEveryNode = [], onOtherNodes = [] } = reactionsTo(change) ?? {};
      for (const react of [...onEveryNode, ...onOtherNodes]) react(ways.parts(), change, account_id);
    },
    changed(account_id, change) {
      const { onThisNode = [], onEveryNode, onOtherNodes = [], shown } = reactionsTo(change);
      for (const react of [...onThisNode, ...onEveryNode]) react(ways.parts(), change, account_id);
      if (onEveryNode.length + onOtherNodes.length > 0) ways.broadcast(account_id, change);
      const live = shown(change);
      if (live) ways.show(account_id, live);
    },
  };
}
