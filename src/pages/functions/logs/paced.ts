/**
 * What is drawn again and again takes a fifteenth of the time at most, so that nearly every frame is in time: the
 * slower the machine, the rarer.
 */
const REST_FACTOR = 14;
const REST_MAX_MS = 300;

/** How long to wait after drawing took so long. A quick machine waits for a few frames. */
export const restAfter = (tookMs: number): number => Math.min(tookMs * REST_FACTOR, REST_MAX_MS);

/** Calls back before a frame is drawn, the next one or a later one. */
export function pacedFrames(): (draw: () => void) => void {
  let restUntil = 0;
  return (draw) => {
    const onFrame = () => {
      const from = performance.now();
      draw();
      // a task after the frame: by then it was rendered and laid out
      setTimeout(() => {
        const now = performance.now();
        restUntil = now + restAfter(now - from);
      });
    };
    const wait = restUntil - performance.now();
    if (wait > 0) setTimeout(() => requestAnimationFrame(onFrame), wait);
    else requestAnimationFrame(onFrame);
  };
}
