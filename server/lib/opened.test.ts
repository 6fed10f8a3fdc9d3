import { expect, it } from 'vitest';
import { opened } from './opened.ts';

it('closes in reverse order, once', async () => {
  const closed: string[] = [];
  const parts = await opened(async (onClose) => {
    onClose(() => closed.push('first'));
    onClose(async () => closed.push('second'));
    return { ready: true };
  });
  expect(parts.ready).toBe(true);
  await parts.close();
  await parts.close();
  expect(closed).toEqual(['second', 'first']);
});

it('closes opened resources when a later one fails', async () => {
  const closed: string[] = [];
  const failing = opened(async (onClose) => {
    onClose(() => closed.push('first'));
    throw new Error('no room');
  });
  await expect(failing).rejects.toThrow('no room');
  expect(closed).toEqual(['first']);
});
