import { formatBytes, formatCount, formatDuration } from '../lib/format.ts';

/** A duration: `1,204 ms`. */
export function Duration({ ms }: { ms: number | null | undefined }) {
  return <span className="data whitespace-nowrap">{ms === null || ms === undefined ? '–' : formatDuration(ms)}</span>;
}

/** A size: `2.1 KB`, with the exact number of bytes as title. */
export function Bytes({ bytes }: { bytes: number | null | undefined }) {
  if (bytes === null || bytes === undefined) return <span>–</span>;
  return (
    <span className="whitespace-nowrap" title={`${formatCount(bytes)} bytes`}>
      {formatBytes(bytes)}
    </span>
  );
}
