import { expect, it, vi } from 'vitest';
import { EXPORTS_AT_ONCE } from '../../contract/limits.ts';
import { Failure } from '../lib/failure.ts';
import type { FileFeed } from '../lib/feed.ts';
import { createFileStreams, type FileOptions } from './file-stream.ts';

const ctx = { account_id: 'account' };

/** A file of `count` parts, and the number of parts that were read. */
function fileOf(count: number, failure?: Error) {
  const read = { parts: 0 };
  async function* parts() {
    for (; read.parts < count; ) yield `${++read.parts}\n`;
    if (failure) throw failure;
  }
  const file: FileFeed = {
    name: 'a.ndjson',
    type: 'application/x-ndjson',
    parts: parts(),
    errorText: (body) => `${JSON.stringify(body)}\n`,
  };
  return { file, read };
}

function optionsOf() {
  const cut = vi.fn();
  const options: FileOptions = {
    isAuthorized: async () => true,
    left: new AbortController().signal,
    headersOnly: false,
    errorBodyOf: (error) => ({ error: (error as Error).message }),
    cut,
  };
  return { options, cut };
}

async function opened(file: FileFeed, streams = createFileStreams()) {
  const { options, cut } = optionsOf();
  const response = await streams.open(ctx, async () => file, options);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) throw new Error('the response has no body');
  return { reader, cut, streams };
}

it('a part is read when the client accepts it', async () => {
  const { file, read } = fileOf(1_000);
  const { options } = optionsOf();
  const response = await createFileStreams().open(ctx, async () => file, options);
  const reader = response.body?.getReader();
  for (const accepted of [1, 2, 3]) {
    await reader?.read();
    await new Promise(setImmediate);
    expect(read.parts).toBe(accepted);
  }
  await reader?.cancel();
});

it('a complete file ends with its response', async () => {
  const { options, cut } = optionsOf();
  const response = await createFileStreams().open(ctx, async () => fileOf(3).file, options);
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="a.ndjson"');
  expect(await response.text()).toBe('1\n2\n3\n');
  expect(cut).not.toHaveBeenCalled();
});

it('a failure is the last line, and then the connection closes without the end of the response', async () => {
  const { reader, cut } = await opened(fileOf(1, new Error('broken')).file);
  expect(await reader.read()).toEqual({ done: false, value: '1\n' });
  expect(await reader.read()).toEqual({ done: false, value: '{"error":"broken"}\n' });
  void reader.read();
  await vi.waitFor(() => expect(cut).toHaveBeenCalledWith('sent'));
});

it('a stop of the service ends files as incomplete and rejects new ones', async () => {
  const { reader, cut, streams } = await opened(fileOf(1_000).file);
  expect(await reader.read()).toEqual({ done: false, value: '1\n' });
  streams.close();
  const texts: string[] = [];
  for (let text: string | undefined = ''; !text?.includes('error'); texts.push(text ?? ''))
    text = (await reader.read()).value;
  expect(texts.at(-1)).toBe('{"error":"The service is stopping."}\n');
  void reader.read();
  await vi.waitFor(() => expect(cut).toHaveBeenCalledWith('sent'));
  await expect(streams.open(ctx, async () => fileOf(1).file, optionsOf().options)).rejects.toMatchObject({
    status: 503,
  });
});

it('an account has a limited number of slots, which are free after the end, a failure or a disconnect', async () => {
  const streams = createFileStreams();
  const open = (file: FileFeed) => streams.open(ctx, async () => file, optionsOf().options);
  const responses = await Promise.all(Array.from({ length: EXPORTS_AT_ONCE }, () => open(fileOf(2).file)));
  const more = () => open(fileOf(2).file);
  await expect(more()).rejects.toMatchObject({ status: 429, headers: { 'Retry-After': '10' } });
  await responses[0]?.text();
  await responses[1]?.body?.cancel();
  const failing = streams.open(ctx, () => Promise.reject(new Failure(503, 'no database')), optionsOf().options);
  await expect(failing).rejects.toMatchObject({ status: 503 });
  expect(await (await more()).text()).toBe('1\n2\n');
  expect(await (await more()).text()).toBe('1\n2\n');
});
