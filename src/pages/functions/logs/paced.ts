/** What is drawn again with each frame takes a share of the time at most: the slower the machine, the rarer. */
const REST_FACTOR = 5;
const REST_MAX_MS = 200;

/** How long to wait after drawing took so long. A quick machine waits less than a frame. */
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
