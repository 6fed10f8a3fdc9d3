import { describe, expect, it } from 'vitest';
import { keepable } from '../history.ts';
import { NO_REST, readRequest, type TypedRequest } from '../typed-request.ts';
import { snippetFiles, withFiles } from './file-bodies.ts';

const typed = (more: Partial<TypedRequest>): TypedRequest => ({ method: 'POST', path: '/', ...NO_REST, ...more });
const photo = new File([new Uint8Array([0, 255, 128])], 'photo.png', { type: 'image/png' });
const PARTS = [
  { name: 'title', value: 'grüße' },
  { name: 'image', value: '', file: photo },
  { name: '', value: '' },
];

async function sent(request: TypedRequest) {
  const read = readRequest(request);
  if (!('body' in read)) throw new Error(JSON.stringify(read.mistakes));
  const { headers = [], body = null, body_encoding } = await withFiles(request, read.body);
  expect(body_encoding).toBe('base64');
  return { headers, bytes: Uint8Array.from(atob(body ?? ''), (char) => char.charCodeAt(0)) };
}
const mistakesOf = (more: Partial<TypedRequest>) => {
  const read = readRequest(typed(more));
  return 'mistakes' in read ? read.mistakes : undefined;
};

describe('a body with files', () => {
  it('has several parts, without empty rows', async () => {
    const { headers, bytes } = await sent(typed({ kind: 'multipart', parts: PARTS }));
    const form = await new Response(bytes, { headers }).formData();
    expect([...form.keys()]).toEqual(['title', 'image']);
    expect(form.get('title')).toBe('grüße');
    const file = form.get('image');
    if (!(file instanceof File)) throw new Error('expected a file');
    expect([file.name, file.type]).toEqual(['photo.png', 'image/png']);
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(new Uint8Array([0, 255, 128]));
  });

  it('is one file, with its type', async () => {
    const { headers, bytes } = await sent(typed({ kind: 'file', file: photo }));
    expect(headers).toEqual([['content-type', 'image/png']]);
    expect([...bytes]).toEqual([0, 255, 128]);
    expect((await sent(typed({ kind: 'file', file: new File(['x'], 'x') }))).headers).toEqual([
      ['content-type', 'application/octet-stream'],
    ]);
  });

  it('of a method without a body is not sent', async () => {
    const request = typed({ method: 'GET', kind: 'file', file: photo });
    expect(readRequest(request)).toEqual({ body: { method: 'GET', path: '/' } });
    expect(await withFiles(request, { method: 'GET', path: '/' })).toEqual({ method: 'GET', path: '/' });
    expect(snippetFiles(request)).toEqual({});
  });

  it('is explained if it cannot be sent', () => {
    expect(mistakesOf({ kind: 'file' })).toEqual({ body: 'Choose a file.' });
    expect(mistakesOf({ kind: 'multipart', parts: [{ name: '', value: 'lost' }] })).toEqual({
      body: 'Enter a name for each part.',
    });
    const long = new File([new Uint8Array(700 * 1024 + 1)], 'long.bin');
    for (const more of [
      { kind: 'file', file: long },
      { kind: 'multipart', parts: [{ name: 'long', value: '', file: long }] },
    ] as const)
      expect(mistakesOf(more)?.body).toMatch(/^Files of up to 700 KB in all can be sent from here/);
    const headers = [{ name: 'Content-Type', value: 'multipart/form-data' }];
    expect(mistakesOf({ kind: 'multipart', parts: PARTS, headers })?.headers).toMatch(/boundary/);
  });

  it('is stored in the browser without its files', () => {
    const outcome = { id: '1', at: '', status: 200, totalMs: 1 };
    const stored = keepable(typed({ kind: 'multipart', parts: PARTS, file: photo }), outcome);
    expect(stored.leftOut).toEqual(['files']);
    expect(stored.parts).toEqual(PARTS.map(({ name, value }) => ({ name, value })));
    expect(stored.file).toBeUndefined();
  });
});
