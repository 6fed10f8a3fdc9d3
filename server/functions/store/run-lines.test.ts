import { expect, it } from 'vitest';
import { msOf, newId } from '../../lib/ids.ts';
import { KEPT_SPAN_MS, keepLines, keptLines, type SaidLine } from './run-lines.ts';

const run = { run_id: newId(), version: 3, status: 'TIMEOUT', duration_ms: 12.345 } as const;
const at_ms = msOf(run.run_id);
const line = (seq: number, message: string, after = 0): SaidLine => ({
  seq,
  at_ms: at_ms + after,
  level: 'warn',
  message,
});
const read = (lines: SaidLine[]) => keptLines({ ...run, log: keepLines(run.run_id, lines).log });

it('are read as logged, with the lines of start and end', () => {
  const odd = ['', '"', '\\', '[1,"REPORT"]', 'two\nlines', '\u2028', 'é 🦥', '</script>'];
  const lines = [
    { seq: 0, at_ms, mark: 'START' as const },
    ...odd.map((message, n) => line(n + 1, message)),
    { seq: odd.length + 1, at_ms: at_ms + 7, mark: 'END' as const },
    { seq: odd.length + 2, at_ms: at_ms + 7, mark: 'REPORT' as const },
  ];
  const { lines: found, isWhole } = read(lines);
  expect(isWhole).toBe(true);
  expect(found.map(({ seq }) => seq)).toEqual(lines.map(({ seq }) => seq));
  expect(found.slice(1, -2)).toEqual(lines.slice(1, -2));
  expect(found[0]).toMatchObject({ level: 'info', message: `START RunId: ${run.run_id} Version: 3` });
  expect(found.slice(-2).map(({ message }) => message)).toEqual([
    `END RunId: ${run.run_id}`,
    `REPORT RunId: ${run.run_id} Duration: 12.35 ms Status: TIMEOUT`,
  ]);
  expect(found.at(-1)?.at_ms).toBe(at_ms + 7);
});

it('a logged line REPORT does not end a run', () => {
  expect(read([line(0, 'REPORT')]).isWhole).toBe(false);
  expect(read([]).isWhole).toBe(false);
});

it('a line that is late, long, or not among the first is stored in a separate row, like all after it', () => {
  expect(keepLines(run.run_id, [line(0, 'a'), line(1, 'b', KEPT_SPAN_MS), line(2, 'c', KEPT_SPAN_MS + 1)]).kept).toBe(
    2,
  );
  expect(keepLines(run.run_id, [line(0, 'a'), line(1, 'b'.repeat(5000)), line(2, 'c')]).kept).toBe(1);
  expect(keepLines(run.run_id, [line(4, 'a')])).toEqual({ log: null, kept: 0 });
  const many = Array.from({ length: 5000 }, (_, n) => line(n, `line ${n}`));
  const { log, kept } = keepLines(run.run_id, many);
  expect(kept).toBeLessThan(1000);
  expect(log?.length).toBeLessThan(10_000);
  expect(read(many).lines).toEqual(many.slice(0, kept));
});
