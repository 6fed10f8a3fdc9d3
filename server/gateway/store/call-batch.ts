/**
 * Buffered gateway calls. They are stored in PostgreSQL's binary array format, so that a call uses only the memory of
 * its row: no objects are retained, and values are not converted to text and parsed again. The values that all calls of
 * a connection share are stored and sent once.
 */
import { sql } from 'kysely';
import type { Denied } from '../../connections/store/connection-checks.ts';
import { Column, OIDS } from '../../platform/database/column.ts';
import type { Db, GatewayCallsTable } from '../../platform/database/schema.ts';

export type NewCall = Omit<GatewayCallsTable, 'call_id' | 'request_id' | 'key_id' | 'key_name'> & {
  request_id?: string | null;
  key_id?: string | null;
  key_name?: string | null;
  /** The start of the call, encoded in its ID. */
  at_ms: number;
};

type Shared = Pick<
  GatewayCallsTable,
  'account_id' | 'connection_id' | 'run_id' | 'key_id' | 'key_name' | 'app' | 'method'
>;

type Entry = Shared & {
  place: number;
  calls: number;
  /** Calls with 401 or 403 since the last other response. */
  denied: number;
  /** Whether there was another response. */
  reset: boolean;
};

export class CallBatch {
  count = 0;
  #shared: Entry[] = [];
  readonly #places = new Map<string, Entry>();
  #last: Entry | undefined;
  readonly #place = new Column(OIDS.int4);
  readonly #id = new Column(OIDS.uuid);
  readonly #path = new Column(OIDS.text);
  readonly #status = new Column(OIDS.int4);
  readonly #duration = new Column(OIDS.float8);
  readonly #requestBytes = new Column(OIDS.int8);
  readonly #responseBytes = new Column(OIDS.int8);
  readonly #error = new Column(OIDS.text);
  readonly #requestId = new Column(OIDS.text);
  readonly #columns = [
    this.#place,
    this.#id,
    this.#path,
    this.#status,
    this.#duration,
    this.#requestBytes,
    this.#responseBytes,
    this.#error,
    this.#requestId,
  ];

  add(call: NewCall): void {
    const shared = this.#sharedBy(call);
    shared.calls++;
    if (call.status === 401 || call.status === 403) shared.denied++;
    else if (call.status !== null) {
      shared.denied = 0;
      shared.reset = true;
    }
    this.count++;
    this.#place.int4(shared.place);
    this.#id.uuidOf(call.at_ms);
    this.#path.text(call.path);
    this.#status.int4(call.status);
    this.#duration.float8(call.duration_ms);
    this.#requestBytes.int8(call.request_bytes);
    this.#responseBytes.int8(call.response_bytes);
    this.#error.text(call.error);
    this.#requestId.text(call.request_id ?? null);
  }

  /** Empties the batch and retains its memory for reuse. */
  clear(): void {
    this.count = 0;
    this.#shared = [];
    this.#places.clear();
    this.#last = undefined;
    for (const column of this.#columns) column.clear();
  }

  /** The number of calls per connection. */
  get connections(): readonly { account_id: string; connection_id: string; calls: number }[] {
    return this.#shared;
  }

  /** The denied calls of each connection. With several kinds of calls in a batch, their order is unknown. */
  get denied(): Denied[] {
    const all = new Map<string, Denied>();
    for (const { account_id, connection_id, denied, reset } of this.#shared) {
      const before = all.get(connection_id);
      if (!before) all.set(connection_id, { account_id, connection_id, denied, reset });
      else Object.assign(before, { denied: before.denied + denied, reset: before.reset || reset });
    }
    return [...all.values()];
  }

  /** Inserts the calls, of any accounts, in one statement. Rows stored by an earlier attempt are skipped. */
  async insertInto(db: Db): Promise<void> {
    const shared = JSON.stringify(this.#shared);
    await sql`
      insert into gateway_calls (account_id, call_id, connection_id, run_id, key_id, key_name, app, method, path,
        status, duration_ms, request_bytes, response_bytes, error, request_id)
      select s.account_id, c.call_id, s.connection_id, s.run_id, s.key_id, s.key_name, s.app, s.method, c.path,
        c.status, c.duration_ms, c.request_bytes, c.response_bytes, c.error, c.request_id
      from unnest(${this.#place.array}::int4[], ${this.#id.array}::uuid[], ${this.#path.array}::text[],
          ${this.#status.array}::int4[], ${this.#duration.array}::float8[], ${this.#requestBytes.array}::int8[],
          ${this.#responseBytes.array}::int8[], ${this.#error.array}::text[], ${this.#requestId.array}::text[])
        as c(place, call_id, path, status, duration_ms, request_bytes, response_bytes, error, request_id)
      join json_to_recordset(${shared}::json)
        as s(place int4, account_id uuid, connection_id uuid, run_id uuid, key_id uuid, key_name text, app text,
          method text) using (place)
      on conflict do nothing
    `.execute(db);
  }

  #sharedBy(call: NewCall): Entry {
    const { account_id, connection_id, run_id, key_id = null, key_name = null, app, method } = call;
    const last = this.#last;
    if (last && last.connection_id === connection_id && last.method === method && last.run_id === run_id)
      if (last.key_id === key_id && last.key_name === key_name) return last;
    const key = `${connection_id} ${run_id} ${method} ${key_id} ${key_name}`;
    let shared = this.#places.get(key);
    if (!shared) {
      shared = {
        place: this.#shared.length,
        calls: 0,
        denied: 0,
        reset: false,
        account_id,
        connection_id,
        run_id,
        key_id,
        key_name,
        app,
        method,
      };
      this.#shared.push(shared);
      this.#places.set(key, shared);
    }
    this.#last = shared;
    return shared;
  }
}
