/**
 * The connection that sends small requests to a process, opened for the first one. Requests of one turn of the event
 * loop share a write. Responses arrive on stdout; the process sends nothing on the connection.
 */
import { connect, type Socket } from 'node:net';
import { errors } from 'undici';
import { ChurnMap } from '../../lib/churn-map.ts';
import type { Call, Report, Sent } from './frames.ts';

export type SmallAnswer = Extract<Report, ['answer', ...unknown[]]>;
type Asked = {
  onAnswer(answer: SmallAnswer): void;
  /** The response has to be fetched by HTTP. */
  onStream(): void;
  onFailure(error: Error): void;
};

export class SmallCallConnection {
  readonly #path: string;
  readonly #onWord: () => void;
  #asked = new ChurnMap<string, Asked>();
  #socket: Socket | undefined;
  #out = '';

  /** `onWord` is called when the process sends something on this connection. */
  constructor(path: string, onWord: () => void) {
    this.#path = path;
    this.#onWord = onWord;
  }

  ask(call: Call, asked: Asked): void {
    this.#asked.set(call[0], asked);
    this.#send(['call', ...call]);
  }

  /** No caller waits for the response any more. */
  leave(runId: string): void {
    this.#asked.delete(runId);
    if (this.#isUsed) this.#send(['leave', runId]);
  }

  /** Returns false without requests on this connection, as then no output can be ordered after them. */
  ping(ping: Extract<Sent, ['ping', ...unknown[]]>): boolean {
    if (!this.#isUsed) return false;
    this.#send(ping);
    return true;
  }

  /** Returns whether there was a request; a response without one is ignored. */
  answered(answer: SmallAnswer): boolean {
    const asked = this.#take(answer[1]);
    asked?.onAnswer(answer);
    return asked !== undefined;
  }

  /** Returns whether there was a request. */
  flows(runId: string): boolean {
    const asked = this.#take(runId);
    asked?.onStream();
    return asked !== undefined;
  }

  /** Fails all waiting calls: the process has ended. */
  close(): void {
    this.#socket?.destroy();
    const waiting = [...this.#asked.values()];
    this.#asked = new ChurnMap();
    for (const { onFailure } of waiting) onFailure(new errors.SocketError('The process has ended'));
  }

  #take(runId: string): Asked | undefined {
    const asked = this.#asked.get(runId);
    this.#asked.delete(runId);
    return asked;
  }

  get #isUsed(): boolean {
    return this.#socket !== undefined || this.#out !== '';
  }

  #send(sent: Sent): void {
    const isFirst = this.#out === '';
    this.#out += `${JSON.stringify(sent)}\n`;
    // With several waiting calls, requests of one turn share a write.
    if (this.#asked.size <= 1) this.#flush();
    else if (isFirst) setImmediate(this.#flush);
  }

  readonly #flush = (): void => {
    const out = this.#out;
    if (out === '') return;
    this.#out = '';
    this.#socket ??= this.#connect();
    this.#socket.write(out);
  };

  #connect(): Socket {
    // A process that closes this connection exits.
    return connect({ path: this.#path })
      .on('error', () => undefined)
      .on('data', this.#onWord);
  }
}
