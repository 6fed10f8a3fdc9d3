/** The answer of a run on its way out of the sandbox: what comes by the wire, as a stream that its reader can hold back. */
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';

/** Sees every part as it comes; answers why it may not go on. The part is lent for the time of the call. */
export type OnPart = (part: Buffer) => Error | undefined;

type Heard = { onHead(status: number, rawHeaders: string[]): void; onFailure(error: Error): void };
const AHEAD_BYTES = 65_536;

export class AnswerBody extends Readable implements Dispatcher.DispatchHandler {
  #turn: Dispatcher.DispatchController | undefined;
  #hasBegun = false;
  #isWhole = false;
  #isTaken = false;
  #onCome: (() => void) | undefined;
  readonly #heard: Heard;
  readonly #onPart: OnPart | undefined;

  constructor(heard: Heard, onPart: OnPart | undefined) {
    super({ highWaterMark: AHEAD_BYTES });
    this.#heard = heard;
    this.#onPart = onPart;
  }

  /** All of it, when it has come and nobody has begun to read. The stream is over then. */
  takeWhole(): Buffer | undefined {
    if (!this.#isWhole || this.destroyed || this.readableFlowing !== null) return undefined;
    this.#isTaken = true;
    return (this.read() as Buffer | null) ?? NOTHING;
  }

  /** Calls back once it is whole, or will never be. */
  whenCome(told: () => void): void {
    if (this.#isWhole || this.destroyed) told();
    else this.#onCome = told;
  }

  onRequestStart(turn: Dispatcher.DispatchController): void {
    this.#turn = turn;
  }

  onResponseStart(turn: Dispatcher.DispatchController, status: number): void {
    if (status < 200) return;
    this.#hasBegun = true;
    this.#heard.onHead(status, turn.rawHeaders as string[]);
  }

  onResponseData(turn: Dispatcher.DispatchController, part: Buffer): void {
    const refusal = this.#onPart?.(part);
    if (refusal) this.destroy(refusal);
    else if (!this.push(Buffer.from(part))) turn.pause();
  }

  onResponseEnd(): void {
    this.#isWhole = true;
    this.push(null);
    this.#onCome?.();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.#hasBegun) this.destroy(error);
    else this.#heard.onFailure(error);
  }

  override _read(): void {
    this.#turn?.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const reason = error ?? (this.#isTaken || this.readableEnded ? null : new Error('Nobody reads on'));
    if (!this.#isWhole && reason) this.#turn?.abort(reason);
    if (!this.#isWhole) this.#onCome?.();
    done(reason);
  }
}

const NOTHING = Buffer.alloc(0);
