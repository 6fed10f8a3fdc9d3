import { expect, test } from 'vitest';
import { messagesOf } from './response-stream.ts';

const encoder = new TextEncoder();

/** The text, in chunks of this many bytes. */
function streamOf(text: string, size: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  const bytes = encoder.encode(text);
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
}

test.each([1, 2, 7, 10_000])('messages are complete with chunks of %i bytes', async (size) => {
  const text =
    'retry: 1000\n\nevent: results\ndata: {"q":"漢字 😀"}\n\n: still here\n\nevent: done\ndata: {}\n\nevent: cut';
  const got: unknown[] = [];
  for await (const message of messagesOf(streamOf(text, size))) got.push(message);
  expect(got).toEqual([
    { event: 'results', data: '{"q":"漢字 😀"}' },
    { event: 'done', data: '{}' },
  ]);
});
