import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { TRANSFORM_ANSWER_MAX_BYTES } from '../../../contract/limits.ts';
import { readAnswer } from './transform-calls.ts';

const streamed = (...sizes: number[]) =>
  readAnswer({ whole: undefined, openBody: () => Readable.from(sizes.map((size) => Buffer.alloc(size, 120))) });

it('an answer is read up to the limit', async () => {
  expect(await streamed(TRANSFORM_ANSWER_MAX_BYTES - 1, 1)).toMatchObject({ isCut: false, isBroken: false });
  expect(await streamed(TRANSFORM_ANSWER_MAX_BYTES, 1)).toEqual({ text: '', isCut: true, isBroken: false });
  const openBody = () => Readable.from([]);
  const whole = (size: number) => readAnswer({ whole: Buffer.alloc(size, 120), openBody });
  expect(await whole(3)).toEqual({ text: 'xxx', isCut: false, isBroken: false });
  expect((await whole(TRANSFORM_ANSWER_MAX_BYTES + 1)).isCut).toBe(true);
});

it('an interrupted answer is broken', async () => {
  const body = () =>
    Readable.from(
      (async function* () {
        yield Buffer.from('{');
        throw new Error('interrupted');
      })(),
    );
  expect(await readAnswer({ whole: undefined, openBody: body })).toEqual({ text: '', isCut: false, isBroken: true });
});
