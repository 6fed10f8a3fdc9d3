/** A response that is still arriving: what came so far, drawn at most once a frame. */
import { type AppResponseData, type AppResponseHead, REQUEST_EVENTS } from '../../../../../contract/live.ts';
import type { ApiError } from '../../../../api/api-error.ts';
import type { SendResult } from '../response.ts';

export interface Arrived extends AppResponseHead {
  readonly text: string;
  readonly bytes: number;
  /** Of the page's clock, in ms. */
  readonly sentMs: number;
  readonly firstByteMs: number;
}

/** Collects the messages of a streamed request. `draw` is called once a frame while text arrives. */
export function arriving(draw: (arrived: Arrived) => void) {
  const sentMs = performance.now();
  let arrived: Arrived | undefined;
  let frame = 0;
  return {
    onEvent(event: string, data: unknown) {
      if (event === REQUEST_EVENTS.response)
        arrived = { ...(data as AppResponseHead), text: '', bytes: 0, sentMs, firstByteMs: performance.now() };
      else if (event === REQUEST_EVENTS.data && arrived) {
        const { text, bytes } = data as AppResponseData;
        arrived = { ...arrived, text: arrived.text + text, bytes };
      }
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        if (arrived) draw(arrived);
      });
    },
    soFar: () => arrived,
    end: () => cancelAnimationFrame(frame),
  };
}

/** The result of a request whose response did not end. */
export function stoppedResult(arrived: Arrived, error: ApiError | null): SendResult {
  const { status, reason, headers, text, bytes, sentMs, firstByteMs } = arrived;
  return {
    response: { status, reason, headers, body: text, body_encoding: 'utf8', bytes, truncated: true },
    error: error && { code: error.status, message: error.message },
    timing: {
      connected_ms: 0,
      first_byte_ms: Math.round(firstByteMs - sentMs),
      total_ms: Math.round(performance.now() - sentMs),
    },
  };
}
