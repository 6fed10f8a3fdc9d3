import { readJsonLine, shownLevel } from '../../../../contract/log-level.ts';
import type { LogLine } from './log-buffer.ts';

export const asText = (lines: readonly LogLine[]): string =>
  lines
    .map(
      ({ timestamp, level, run_id, message }) =>
        `${new Date(timestamp).toISOString()} ${shownLevel(level, readJsonLine(message)).padEnd(5)} ${run_id} ${message}\n`,
    )
    .join('');

/** Downloads a text as a file. */
export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
