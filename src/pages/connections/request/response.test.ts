import { describe, expect, it } from 'vitest';
import { type AppResponse, bytesOf, fileNameOf, lookOf, phasesOf, statusWord } from './response.ts';

const response = (more: Partial<AppResponse> = {}): AppResponse => ({
  status: 200,
  reason: '',
  headers: [['Content-Type', 'application/json']],
  body: '{"a":1}',
  body_encoding: 'utf8',
  bytes: 7,
  truncated: false,
  ...more,
});

describe('a response', () => {
  it('has the reason phrase of the app, else the usual one', () => {
    expect(statusWord(response({ reason: 'Fine' }))).toBe('Fine');
    expect(statusWord(response({ status: 503 }))).toBe('Service Unavailable');
    expect(statusWord(response({ status: 599 }))).toBe('');
  });

  it('is displayed by its content, not by its content type', () => {
    expect(lookOf(response())).toBe('json');
    expect(lookOf(response({ headers: [] }))).toBe('json');
    expect(lookOf(response({ body: '{"a":1', truncated: true }))).toBe('text');
    expect(lookOf(response({ headers: [['content-type', 'text/html']], body: '<p>' }))).toBe('text');
    expect(lookOf(response({ body: '' }))).toBe('none');
    expect(lookOf(response({ body_encoding: 'base64', body: 'iVBORw==' }))).toBe('binary');
  });

  it('can be downloaded as a file', () => {
    expect([...bytesOf({ body: 'iVBO/w==', body_encoding: 'base64' })]).toEqual([0x89, 0x50, 0x4e, 0xff]);
    expect([...bytesOf({ body: 'ü', body_encoding: 'utf8' })]).toEqual([0xc3, 0xbc]);
    expect(fileNameOf(response(), '/v1/items?page=2')).toBe('items.json');
    expect(fileNameOf(response(), '/')).toBe('answer.json');
    expect(
      fileNameOf(response({ headers: [['content-disposition', 'attachment; filename="../a b.pdf"']] }), '/x'),
    ).toBe('.._a b.pdf');
  });

  it('lists the phases of its duration', () => {
    expect(phasesOf({ connected_ms: 10, first_byte_ms: 90, total_ms: 100 })).toEqual([
      { name: 'Connecting', ms: 10 },
      { name: 'Waiting', ms: 80 },
      { name: 'Receiving', ms: 10 },
    ]);
    expect(phasesOf({ connected_ms: 10, first_byte_ms: null, total_ms: 30_000 })).toEqual([
      { name: 'Connecting', ms: 10 },
      { name: 'Waiting', ms: 29_990 },
    ]);
    expect(phasesOf({ connected_ms: null, first_byte_ms: null, total_ms: 3 })).toEqual([{ name: 'Connecting', ms: 3 }]);
  });
});
