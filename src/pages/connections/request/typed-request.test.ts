import { describe, expect, it } from 'vitest';
import {
  impliedContentType,
  jsonMistake,
  NO_REST,
  readRequest,
  type TypedRequest,
  whyNotSent,
} from './typed-request.ts';

const typed = (more: Partial<TypedRequest>): TypedRequest => ({ method: 'GET', path: '/items', ...NO_REST, ...more });
const sent = (more: Partial<TypedRequest>) => {
  const read = readRequest(typed(more));
  return 'body' in read ? read.body : read.mistakes;
};

describe('a typed request', () => {
  it('goes out as little as possible', () => {
    expect(sent({})).toEqual({ method: 'GET', path: '/items' });
  });

  it('gets a slash in front, and escapes for what an address can not hold', () => {
    expect(sent({ path: ' items/ä b?q=%7e+1#x ' })).toMatchObject({ path: '/items/%C3%A4%20b?q=%7e+1#x' });
  });

  it('keeps headers in order and doubled, and leaves empty rows out', () => {
    const headers = [
      { name: 'X-Tag', value: 'b' },
      { name: '', value: '' },
      { name: 'x-tag', value: ' a ' },
    ];
    expect(sent({ headers })).toMatchObject({
      headers: [
        ['X-Tag', 'b'],
        ['x-tag', 'a'],
      ],
    });
  });

  it('says which header is wrong', () => {
    expect(sent({ headers: [{ name: '', value: 'lost' }] })).toEqual({
      headers: 'The header with the value lost has no name.',
    });
    expect(sent({ headers: [{ name: 'a b', value: '' }] })).toEqual({ headers: 'a b can’t be the name of a header.' });
    expect(sent({ headers: [{ name: 'a', value: 'x\r\ny: z' }] })).toEqual({
      headers: 'The value of a has a control character.',
    });
    expect(sent({ headers: [{ name: 'a', value: '日本' }] })).toEqual({
      headers: 'The value of a has characters that are not allowed in a header.',
    });
  });

  it('sends a body with the type it has, unless another is typed', () => {
    expect(sent({ method: 'POST', kind: 'json', text: '{"a":1}' })).toEqual({
      method: 'POST',
      path: '/items',
      headers: [['content-type', 'application/json']],
      body: '{"a":1}',
    });
    const patched = typed({ method: 'PATCH', kind: 'json', headers: [{ name: 'Content-Type', value: 'a/b+json' }] });
    expect(impliedContentType(patched)).toBeUndefined();
    expect(sent({ method: 'POST', kind: 'text', text: 'plain' })).toEqual({
      method: 'POST',
      path: '/items',
      body: 'plain',
    });
  });

  it('writes a form as browsers do', () => {
    const form = [
      { name: 'to', value: 'a b' },
      { name: 'to', value: '+&' },
      { name: '', value: '' },
    ];
    expect(sent({ method: 'POST', kind: 'form', form })).toMatchObject({ body: 'to=a+b&to=%2B%26' });
  });

  it('sends no body where there is none to send', () => {
    expect(sent({ method: 'GET', kind: 'json', text: '{}' })).toEqual({ method: 'GET', path: '/items' });
    expect(sent({ method: 'DELETE' })).toEqual({ method: 'DELETE', path: '/items' });
  });

  it('knows what the gateway does not pass on', () => {
    expect(whyNotSent('Authorization')).toMatch(/credentials/);
    expect(whyNotSent('Service-Connection')).toMatch(/for the gateway/);
    expect(whyNotSent('Cookie')).toMatch(/Not sent/);
    expect(whyNotSent('accept')).toBeUndefined();
  });

  it('finds the place where JSON breaks', () => {
    expect(jsonMistake('{"a": 1}')).toBeUndefined();
    expect(jsonMistake('')).toBeUndefined();
    expect(jsonMistake('{\n  "a": 1,\n  b\n}')).toBe('Invalid JSON: see line 3, column 3.');
  });
});
