/**
 * Limits the time of a search in one document, which is scanned in one turn while others wait. An expression that takes
 * longer is abandoned there, and the result is truncated. CPU time counts, as other load on the machine does not make
 * an expression hard.
 */
import type { RE2JS } from 're2js';

/** Whether to continue; with an argument, whether this much time is left. */
export type MayContinue = (aheadMs?: number) => boolean;

const LEAST_MS = 100;
const MS_PER_MILLION_CHARS = 100;

/** The budget for a document of this many characters. */
export function cpuBudgetFor(chars: number): MayContinue {
  const mostMs = LEAST_MS + (chars / 1_000_000) * MS_PER_MILLION_CHARS;
  const startMs = performance.now();
  const start = processorMs();
  // The wall clock is cheaper to read, and never behind CPU time.
  return (aheadMs = 0) => performance.now() - startMs + aheadMs < mostMs || processorMs() - start + aheadMs < mostMs;
}

/** The CPU time of this thread so far, in milliseconds. */
export function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** RE2 cannot be interrupted. For a longer text, one piece of each part predicts the time of the whole. */
const PART_CHARS = 16 * 1024;
const PIECE_CHARS = 1024;

/**
 * Whether `mayContinue` allows the time that RE2 will take for a text; short texts are always allowed. Pieces are
 * chosen at random, so that no text can avoid them.
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
    // A JIT compilation or garbage collection may have run meanwhile: a second piece has to confirm the time.
    sum += Math.min(took, onPiece());
    if (!isInTime(sum)) return false;
  }
  return true;
}
