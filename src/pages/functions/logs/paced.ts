/** Limits repeated rendering to a fifteenth of the time, so that nearly every frame is on time on slow machines too. */
const REST_FACTOR = 14;
const REST_MAX_MS = 300;

/** The pause after a render of this duration. Fast machines wait for a few frames. */
export const restAfter = (tookMs: number): number => Math.min(tookMs * REST_FACTOR, REST_MAX_MS);

/** Calls back before the next frame or a later one. */
export function pacedFrames(): (draw: () => void) => void {
  let restUntil = 0;
  return (draw) => {
    const onFrame = () => {
      const from = performance.now();
      draw();
      // a task after the frame: rendering and layout are done
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
