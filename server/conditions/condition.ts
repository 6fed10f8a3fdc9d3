/**
 * Conditions: states of an account that a person should know about, such as a failing destination. Observers read them
 * from the tables; evaluate.ts compares them with the reported ones and creates the events.
 */
import type { Services } from '../platform/context.ts';
import type { ConditionsTable, TriggersTable, Tx } from '../platform/database/schema.ts';

/** As in PagerDuty's Events API. */
export type Severity = 'critical' | 'error' | 'warning' | 'info';
export type Resource = {
  kind: 'connection' | 'destination' | 'replay' | 'trigger' | 'function' | 'api_key' | 'node' | 'problem';
  id: string;
  name: string;
};

/** The content of an event about a condition. */
export type Notice = {
  type: string;
  severity: Severity;
  title: string;
  text: string;
  /** The path of a page of the console. */
  path: string;
  resource: Resource;
  count?: number;
  last_error?: string | null;
  details?: Record<string, unknown>;
};

/** A condition that holds. */
export type Finding = {
  /** The kind, and the id of the resource: `destination:<id>`. */
  key: string;
  since: string;
  notice: Notice;
  /** `happened`: the event has no counterpart. */
  state: 'opened' | 'happened';
  /** Closed at once: the observer returns it once. */
  isMoment?: boolean;
  /** Worse than what may have been reported as the same condition. */
  isWorse?: boolean;
};

/** An open condition that no longer holds. */
export type Calm = {
  key: string;
  /** Null: it closes without an event. */
  notice: Notice | null;
  /** A person ended it, or it cannot begin again: it closes without a wait. */
  atOnce: boolean;
};

export type Observation = { findings: Finding[]; calm: Calm[] };

/** The parameters of the event types; see server/connections/apps/events/sluice.ts. */
export type Parameters = {
  after_failures?: number;
  failure_rate?: number;
  window_minutes?: number;
  for_minutes?: number;
  after_rejections?: number;
  days_before?: number;
  free_percent?: number;
};

export type Look = {
  services: Services;
  tx: Tx;
  account_id: string;
  /** The trigger of the source `sluice`. */
  trigger: TriggersTable;
  parameters: Parameters;
  /** Types of the events that the trigger gets. */
  reports: (type: string) => boolean;
  /** When the trigger was created or enabled: nothing that happened before is reported. */
  watching_since: string;
  /** The open conditions of the observer's kind. */
  open: ConditionsTable[];
  /** The maximum number of new findings. */
  limit: number;
};

export type Observe = (look: Look) => Promise<Observation>;

/** The id in a key. */
export const idOf = ({ key }: Pick<ConditionsTable, 'key'>): string => key.slice(key.indexOf(':') + 1);

/** The resource as it was reported: it may have been deleted since. */
export const resourceOf = ({ resource }: Pick<ConditionsTable, 'resource'>): Resource =>
  JSON.parse(resource) as Resource;
