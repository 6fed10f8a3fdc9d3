import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import { type Dispatcher, errors } from 'undici';

/** A coding of Transfer-Encoding beside chunked. */
export type Compression = 'gzip' | 'deflate';

type Handler = Dispatcher.DispatchHandler;
type Controller = Dispatcher.DispatchController;
const NO_FIELDS = {};

/**
 * Decodes a body that was compressed for the transfer (RFC 9112, section 7.2), which few servers do: the handler gets it
 * as it was before. The decoded bytes are as slow as the handler reads, so that a small body can't expand in memory.
 */
export class TransferDecoder implements Handler {
  readonly #handler: Handler;
  readonly #decoder: Transform;
  #isOver = false;

  constructor(handler: Handler, compression: Compression, inFlight: Controller) {
    this.#handler = handler;
    this.#decoder = compression === 'gzip' ? zlib.createGunzip() : zlib.createInflate();
    const controller = pausable(inFlight, this.#decoder);
    this.#decoder
      .on('data', (part: Buffer) => this.#isOver || handler.onResponseData?.(controller, part))
      .on('drain', () => inFlight.resume())
      .on('error', () => {
        inFlight.abort(new Error('invalid transfer coding'));
        this.onResponseError(inFlight, new errors.HTTPParserError('invalid transfer coding'));
      })
      .on('end', () => {
        if (!this.#isOver) handler.onResponseEnd?.(controller, NO_FIELDS);
        this.#isOver = true;
      });
    this.onResponseStart = (_, status, headers, reason) =>
      handler.onResponseStart?.(controller, status, headers, reason);
  }

  onResponseStart: NonNullable<Handler['onResponseStart']>;

  onResponseData(controller: Controller, part: Buffer): void {
    // `part` is valid during this call only.
    if (!this.#decoder.write(Buffer.from(part))) controller.pause();
  }

  onResponseEnd(): void {
    this.#decoder.end();
  }

  onResponseError(controller: Controller, error: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#decoder.destroy();
    this.#handler.onResponseError?.(controller, error);
  }
}

/** The controller whose pause stops the decoder, too. */
function pausable(inFlight: Controller, decoder: Transform): Controller {
  return {
    get rawHeaders() {
      return inFlight.rawHeaders ?? null;
    },
    get rawTrailers() {
      return inFlight.rawTrailers ?? null;
    },
    get paused() {
      return decoder.isPaused();
    },
    get aborted() {
      return inFlight.aborted;
    },
    get reason() {
      return inFlight.reason;
    },
    pause() {
      decoder.pause();
    },
    resume() {
      decoder.resume();
    },
    abort(reason) {
      decoder.destroy();
      inFlight.abort(reason);
    },
  };
}
