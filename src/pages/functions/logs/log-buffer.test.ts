import { expect, it } from 'vitest';
import type { FunctionLogEvent } from '../../../api/entities.ts';
import { createLogBuffer, LINES_MAX } from './log-buffer.ts';

const line = (timestamp: number, run_id = 'a', seq = timestamp): FunctionLogEvent => ({
  timestamp,
  run_id,
  seq,
  message: `${run_id}${seq}`,
  level: 'info',
  version: 1,
});
const open = () => {
  const flushes: (() => void)[] = [];
  const buffer = createLogBuffer((flush) => flushes.push(flush));
  const settle = () => {
    for (const flush of flushes.splice(0)) flush();
    return buffer.get().map(({ message }) => message);
  };
  return { buffer, settle };
};

it('contains each line once from any source, ordered by time', () => {
  const { buffer, settle } = open();
  buffer.add([line(3), line(4)]);
  buffer.add([line(1), line(2), line(3)]);
  expect(settle()).toEqual(['a1', 'a2', 'a3', 'a4']);
  buffer.add([line(4), line(3, 'b'), line(5)]);
  expect(settle()).toEqual(['a1', 'a2', 'a3', 'b3', 'a4', 'a5']);
});

it('removes terminal codes, and moves matches to their new positions', () => {
  const { buffer, settle } = open();
  buffer.add([{ ...line(1), message: '\x1b[31mbad\x1b[0m text', marks: [[13, 17]] }]);
  expect(settle()).toEqual(['bad text']);
  const pieces = [
    { text: 'bad', ink: 'bad' },
    { text: ' text', ink: undefined },
  ];
  expect(buffer.get()).toMatchObject([{ marks: [[4, 8]], pieces }]);
});

it('notifies once per frame', () => {
  const { buffer, settle } = open();
  let notified = 0;
  const stop = buffer.subscribe(() => notified++);
  for (let at = 1; at <= 100; at++) buffer.add([line(at)]);
  expect(notified).toBe(0);
  expect(settle()).toHaveLength(100);
  expect(notified).toBe(1);
  stop();
});

it('keeps the newest lines up to the limit, and accepts dropped ones again', () => {
  const { buffer, settle } = open();
  buffer.add(Array.from({ length: LINES_MAX + 5 }, (_, at) => line(at)));
  expect(settle()[0]).toBe('a5');
  buffer.clear();
  buffer.add([line(1)]);
  expect(settle()).toEqual(['a1']);
});
