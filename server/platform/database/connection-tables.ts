import type { AuthMethod, ConnectionStatus } from '../../../contract/states.ts';
import type { JsonText, Sealed, Timestamp } from './column-types.ts';

export type ConnectionsTable = {
  account_id: string;
  connection_id: string;
  app: string;
  method: AuthMethod | null;
  name: string | null;
  status: ConnectionStatus;
  metadata: JsonText;
  failure: JsonText | null;
  credentials: Sealed | null;
  is_default: boolean;
  creation_time: Timestamp;
  last_updated_time: Timestamp;
  last_used_time: Timestamp | null;
  /** Links made before are past: when it was last completed, or last to be completed again. */
  completed_at: Timestamp | null;
  /** When the access token ends. */
  token_expires_at: Timestamp | null;
  refreshed_at: Timestamp | null;
  /** When the refresher looks at it next. */
  refresh_at: Timestamp | null;
  /** Since when every try to renew has failed. */
  refresh_failing_since: Timestamp | null;
  /** The last attempt to connect, where it failed and changed no status. */
  last_error: JsonText | null;
  /** Since when and why the app did not confirm the credentials. */
  unconfirmed: JsonText | null;
  /** Responses with 401 in a row, where the credentials are a key. */
  refusals: number;
  /** Hash of the link that completed it. */
  completed_link: string | null;
};
