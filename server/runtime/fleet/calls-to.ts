/**
 * The connection that a process takes small requests by, opened with the first of them. What several ask in one turn of
 * the event loop goes out as one write. Answers come by stdout; on the connection itself the process has nothing to
 * say.
 */
import { connect, type Socket } from 'node:net';
import { errors } from 'undici';
import { ChurnMap } from '../../lib/churn-map.ts';
import type { Call, Report, Sent } from './frames.ts';

export type SmallAnswer = Extract<Report, ['answer', ...unknown[]]>;
type Asked = {
  onAnswer(answer: SmallAnswer): void;
  /** It is to be fetched by HTTP. */
  onStream(): void;
  onFailure(error: Error): void;
};

export class CallsTo {
  readonly #path: string;
  readonly #onWord: () => void;
  #asked = new ChurnMap<string, Asked>();
  #socket: Socket | undefined;
  #out = '';

  /** `onWord` is called when the process says something here after all. */
  constructor(path: string, onWord: () => void) {
    this.#path = path;
    this.#onWord = onWord;
  }

  ask(call: Call, asked: Asked): void {
    this.#asked.set(call[0], asked);
    this.#send(['call', ...call]);
  }

  /** No caller waits for the answer any more. */
  leave(runId: string): void {
    this.#asked.delete(runId);
    if (this.#isUsed) this.#send(['leave', runId]);
  }

  /** Whether it goes by here: only what was asked here before can be behind it. */
  ping(ping: Extract<Sent, ['ping', ...unknown[]]>): boolean {
    if (!this.#isUsed) return false;
    this.#send(ping);
    return true;
  }

  /** What the process says without a request is ignored. */
  answered(answer: SmallAnswer): void {
    this.#take(answer[1])?.onAnswer(answer);
  }

  flows(runId: string): void {
    this.#take(runId)?.onStream();
  }

  /** The process is gone. */
  close(): void {
    this.#socket?.destroy();
    const waiting = [...this.#asked.values()];
    this.#asked = new ChurnMap();
    for (const { onFailure } of waiting) onFailure(new errors.SocketError('The process is gone'));
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
    // Where several ask, those of one turn are worth waiting for.
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
    // A process that closes it ends itself.
    return connect({ path: this.#path })
      .on('error', () => undefined)
      .on('data', this.#onWord);
  }
}
