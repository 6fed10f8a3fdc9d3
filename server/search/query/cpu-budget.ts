/**
 * How long a search may be at one code, which it looks through in one go while others wait: an expression that takes
 * longer is abandoned there, and the answer says so. It is the processor's time, as a busy machine doesn't make an
 * expression hard.
 */
import type { RE2JS } from 're2js';

/** Whether to continue; with a time, whether there is this much. */
export type MayContinue = (aheadMs?: number) => boolean;

const LEAST_MS = 100;
const MS_PER_MILLION_CHARS = 100;

/** For a code with this many characters. */
export function cpuBudgetFor(chars: number): MayContinue {
  const mostMs = LEAST_MS + (chars / 1_000_000) * MS_PER_MILLION_CHARS;
  const startMs = performance.now();
  const start = processorMs();
  // The clock costs less to look at, and is never slower.
  return (aheadMs = 0) => performance.now() - startMs + aheadMs < mostMs || processorMs() - start + aheadMs < mostMs;
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * Nothing stops RE2 on its way through a text: of a longer one, a piece of each part predicts how long all of it will
 * take.
 */
const PART_CHARS = 16 * 1024;
const PIECE_CHARS = 1024;

/**
 * Whether `mayContinue` has as much time as RE2 will take for a text; what isn't long is let through. The pieces are at
 * unpredictable places.
 */
export function hasTimeFor(expression: RE2JS, text: string, mayContinue: MayContinue): boolean {
  if (text.length <= PART_CHARS) return true;
  const isInTime = (pieces: number) => mayContinue(pieces * (PART_CHARS / PIECE_CHARS));
  let sum = 0;
  for (let from = 0; from < text.length; from += PART_CHARS) {
    const onPiece = () => {
      const at = from + Math.floor(Math.random() * (PART_CHARS - PIECE_CHARS));
      const start = processorMs();
      expression.test(text.slice(at, at + PIECE_CHARS));
      return processorMs() - start;
    };
    const took = onPiece();
    if (isInTime(sum + took)) {
      sum += took;
      continue;
    }
    // V8 may have compiled or tidied up meanwhile, which says nothing of the rest: another piece has to say so too.
    sum += Math.min(took, onPiece());
    if (!isInTime(sum)) return false;
  }
  return true;
}
