/** Writes reports: one synchronous write per line, so that no output before a crash is lost. */
import { MARK, type Report } from '../fleet/frames.ts';
import { deno } from './deno.ts';

// Saved before a function's code can replace them.
const { stringify } = JSON;
const encoder = new TextEncoder();
const encode = encoder.encode.bind(encoder);
const writeSync = deno.stdout.writeSync.bind(deno.stdout);

export function report(frame: Report): void {
  writeAll(encode(`${MARK}${stringify(frame)}\n`));
}

// For the service's log.
const writeErrorSync = deno.stderr.writeSync.bind(deno.stderr);
export const writeError = (text: string): number => writeErrorSync(encode(text));

export function writeAll(bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(written ? bytes.subarray(written) : bytes);
}
