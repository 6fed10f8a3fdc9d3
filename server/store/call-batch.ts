/**
 * Calls through the gateway on their way to their table. They are kept as the bytes in which PostgreSQL takes arrays, so
 * that a call costs the memory of its row and nothing else: no object of it lives on, nothing is written as text and read
 * again. What the calls of one connection have in common is kept and sent once.
 */
import { randomFillSync } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, GatewayCallsTable } from './schema.ts';

export type NewCall = Omit<GatewayCallsTable, 'call_id'> & {
  /** When it began: its id says so. */
  at_ms: number;
};

type Shared = Pick<GatewayCallsTable, 'account_id' | 'connection_id' | 'run_id' | 'app' | 'method'>;

/** The numbers by which PostgreSQL knows the types of elements. */
const OIDS = { uuid: 2950, int4: 23, int8: 20, float8: 701, text: 25 };
const FIRST_ROWS = 16;

export class CallBatch {
  count = 0;
  #shared: (Shared & { place: number; calls: number })[] = [];
  readonly #places = new Map<string, Shared & { place: number; calls: number }>();
  #last: (Shared & { place: number; calls: number }) | undefined;
  readonly #place = new Column(OIDS.int4);
  readonly #id = new Column(OIDS.uuid);
  readonly #path = new Column(OIDS.text);
  readonly #status = new Column(OIDS.int4);
  readonly #duration = new Column(OIDS.float8);
  readonly #requestBytes = new Column(OIDS.int8);
  readonly #responseBytes = new Column(OIDS.int8);
  readonly #error = new Column(OIDS.text);
  readonly #columns = [
    this.#place,
    this.#id,
    this.#path,
    this.#status,
    this.#duration,
    this.#requestBytes,
    this.#responseBytes,
    this.#error,
  ];

  add(call: NewCall): void {
    const shared = this.#sharedBy(call);
    shared.calls++;
    this.count++;
    this.#place.int4(shared.place);
    this.#id.uuidOf(call.at_ms);
    this.#path.text(call.path);
    this.#status.int4(call.status);
    this.#duration.float8(call.duration_ms);
    this.#requestBytes.int8(call.request_bytes);
    this.#responseBytes.int8(call.response_bytes);
    this.#error.text(call.error);
  }

  /** As it was when it was made, but for the memory it has grown to: that is used again. */
  clear(): void {
    this.count = 0;
    this.#shared = [];
    this.#places.clear();
    this.#last = undefined;
    for (const column of this.#columns) column.clear();
  }

  /** How many calls there are of which connection. */
  get connections(): readonly { account_id: string; connection_id: string; calls: number }[] {
    return this.#shared;
  }

  /** Adds the calls, of whichever accounts, in one statement. Those that are there already (an earlier try got through) stay. */
  async insertInto(db: Db): Promise<void> {
    const shared = JSON.stringify(this.#shared);
    await sql`
      insert into gateway_calls (account_id, call_id, connection_id, run_id, app, method, path, status, duration_ms,
        request_bytes, response_bytes, error)
      select s.account_id, c.call_id, s.connection_id, s.run_id, s.app, s.method, c.path, c.status, c.duration_ms,
        c.request_bytes, c.response_bytes, c.error
      from unnest(${this.#place.array}::int4[], ${this.#id.array}::uuid[], ${this.#path.array}::text[],
          ${this.#status.array}::int4[], ${this.#duration.array}::float8[], ${this.#requestBytes.array}::int8[],
          ${this.#responseBytes.array}::int8[], ${this.#error.array}::text[])
        as c(place, call_id, path, status, duration_ms, request_bytes, response_bytes, error)
      join json_to_recordset(${shared}::json)
        as s(place int4, account_id uuid, connection_id uuid, run_id uuid, app text, method text) using (place)
      on conflict do nothing
    `.execute(db);
  }

  #sharedBy({ account_id, connection_id, run_id, app, method }: NewCall): Shared & { place: number; calls: number } {
    const last = this.#last;
    if (last && last.connection_id === connection_id && last.method === method && last.run_id === run_id) return last;
    const key = `${connection_id} ${run_id} ${method}`;
    let shared = this.#places.get(key);
    if (!shared) {
      shared = { place: this.#shared.length, calls: 0, account_id, connection_id, run_id, app, method };
      this.#shared.push(shared);
      this.#places.set(key, shared);
    }
    this.#last = shared;
    return shared;
  }
}

/** What makes ids different, ten bytes for each; asking for them one by one would take longer than all the rest. */
const noise = Buffer.allocUnsafe(10 * 256);
let noiseLeft = 0;

const viewOf = ({ buffer, byteOffset, length }: Buffer) => new DataView(buffer, byteOffset, length);

/** Of a column of a batch that is used again. */
const KEPT_BYTES = 128 * 1024;
/** Five words before the first element: dimensions, whether there are nulls, type, length, index of the first. */
const HEAD_BYTES = 20;

/** An array in PostgreSQL's binary form: each element is its length and its bytes, big end first; a null has length -1. */
class Column {
  readonly #oid: number;
  #bytes = Buffer.allocUnsafe(HEAD_BYTES + FIRST_ROWS * HEAD_BYTES);
  #view = viewOf(this.#bytes);
  #end = HEAD_BYTES;
  #count = 0;
  #nulls = 0;

  constructor(oid: number) {
    this.#oid = oid;
  }

  clear(): void {
    // One long path or a full batch is no reason to keep so much.
    if (this.#bytes.length > KEPT_BYTES) this.#bytes = Buffer.allocUnsafe(HEAD_BYTES + FIRST_ROWS * HEAD_BYTES);
    this.#view = viewOf(this.#bytes);
    this.#end = HEAD_BYTES;
    this.#count = 0;
    this.#nulls = 0;
  }

  get array(): Buffer {
    const words = [1, this.#nulls, this.#oid, this.#count, 1];
    for (const [i, word] of words.entries()) this.#view.setInt32(i * 4, word);
    return this.#bytes.subarray(0, this.#end);
  }

  int4(value: number | null): void {
    const at = this.#element(value === null ? -1 : 4, 4);
    if (value !== null) this.#view.setInt32(at, value);
  }

  int8(value: number): void {
    const at = this.#element(8, 8);
    this.#view.setInt32(at, Math.floor(value / 0x1_0000_0000));
    this.#view.setUint32(at + 4, value % 0x1_0000_0000);
  }

  float8(value: number): void {
    const at = this.#element(8, 8);
    this.#view.setFloat64(at, value);
  }

  text(value: string | null): void {
    if (value === null) return void this.#element(-1, 0);
    // Room for the longest it can become; its length is known once it is written.
    const at = this.#element(0, value.length * 3);
    const length = this.#bytes.write(value, at);
    this.#view.setInt32(at - 4, length);
    this.#end = at + length;
  }

  /** A UUIDv7 of this moment; within a millisecond their order is chance. */
  uuidOf(atMs: number): void {
    const at = this.#element(16, 16);
    if (noiseLeft === 0) noiseLeft = randomFillSync(noise).length;
    noiseLeft -= 10;
    noise.copy(this.#bytes, at + 6, noiseLeft, noiseLeft + 10);
    this.#view.setUint16(at, Math.floor(atMs / 0x1_0000_0000));
    this.#view.setUint32(at + 2, atMs % 0x1_0000_0000);
    this.#view.setUint8(at + 6, 0x70 | (this.#view.getUint8(at + 6) & 0x0f));
    this.#view.setUint8(at + 8, 0x80 | (this.#view.getUint8(at + 8) & 0x3f));
  }

  /** Where the bytes of the next element go. */
  #element(length: number, room: number): number {
    const at = this.#end + 4;
    if (at + room > this.#bytes.length) this.#grow(at + room);
    this.#view.setInt32(this.#end, length);
    this.#end = at + Math.max(length, 0);
    this.#count++;
    if (length < 0) this.#nulls = 1;
    return at;
  }

  #grow(needed: number): void {
    const bytes = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(bytes, 0, 0, this.#end);
    this.#bytes = bytes;
    this.#view = viewOf(bytes);
  }
}
