/** The response body of a run, as a stream with backpressure from the sandbox connection. */
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';

/** Receives every chunk; returns an error to stop the response. A chunk is valid only during the call. */
export type OnPart = (part: Buffer) => Error | undefined;

type AnswerListener = { onHead(status: number, rawHeaders: string[]): void; onFailure(error: Error): void };
const AHEAD_BYTES = 65_536;

export class AnswerBody extends Readable implements Dispatcher.DispatchHandler {
  #turn: Dispatcher.DispatchController | undefined;
  #hasBegun = false;
  #isWhole = false;
  #isTaken = false;
  #onCome: (() => void) | undefined;
  readonly #listener: AnswerListener;
  readonly #onPart: OnPart | undefined;

  constructor(listener: AnswerListener, onPart: OnPart | undefined) {
    super({ highWaterMark: AHEAD_BYTES });
    this.#listener = listener;
    this.#onPart = onPart;
  }

  /** The complete body, if it has arrived and no reader has started. This consumes the stream. */
  takeWhole(): Buffer | undefined {
    if (!this.#isWhole || this.destroyed || this.readableFlowing !== null) return undefined;
    this.#isTaken = true;
    return (this.read() as Buffer | null) ?? NOTHING;
  }

  /** Calls back when the body is complete, or has failed. */
  whenCome(onCome: () => void): void {
    if (this.#isWhole || this.destroyed) onCome();
    else this.#onCome = onCome;
  }

  onRequestStart(turn: Dispatcher.DispatchController): void {
    this.#turn = turn;
  }

  onResponseStart(turn: Dispatcher.DispatchController, status: number): void {
    if (status < 200) return;
    this.#hasBegun = true;
    this.#listener.onHead(status, turn.rawHeaders as string[]);
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
    else this.#listener.onFailure(error);
  }

  override _read(): void {
    this.#turn?.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const reason = error ?? (this.#isTaken || this.readableEnded ? null : new Error('No reader'));
    if (!this.#isWhole && reason) this.#turn?.abort(reason);
    if (!this.#isWhole) this.#onCome?.();
    done(reason);
  }
}

const NOTHING = Buffer.alloc(0);
