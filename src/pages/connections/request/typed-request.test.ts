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

describe('request form values', () => {
  it('make a minimal request', () => {
    expect(sent({})).toEqual({ method: 'GET', path: '/items' });
  });

  it('get a leading slash and the escapes that a URL needs', () => {
    expect(sent({ path: ' items/ä b?q=%7e+1#x ' })).toMatchObject({ path: '/items/%C3%A4%20b?q=%7e+1#x' });
  });

  it('keep the order of headers and repeated ones, without empty rows', () => {
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

  it('report the invalid header', () => {
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

  it('send a body with its content type, unless a header sets another', () => {
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

  it('encode a form as browsers do', () => {
    const form = [
      { name: 'to', value: 'a b' },
      { name: 'to', value: '+&' },
      { name: '', value: '' },
    ];
    expect(sent({ method: 'POST', kind: 'form', form })).toMatchObject({ body: 'to=a+b&to=%2B%26' });
  });

  it('send no body without content', () => {
    expect(sent({ method: 'GET', kind: 'json', text: '{}' })).toEqual({ method: 'GET', path: '/items' });
    expect(sent({ method: 'DELETE' })).toEqual({ method: 'DELETE', path: '/items' });
  });

  it('flag headers that the gateway does not forward', () => {
    expect(whyNotSent('Authorization')).toMatch(/credentials/);
    expect(whyNotSent('Service-Connection')).toMatch(/for the gateway/);
    expect(whyNotSent('Cookie')).toMatch(/Not sent/);
    expect(whyNotSent('accept')).toBeUndefined();
  });

  it('locate the syntax error of JSON', () => {
    expect(jsonMistake('{"a": 1}')).toBeUndefined();
    expect(jsonMistake('')).toBeUndefined();
    expect(jsonMistake('{\n  "a": 1,\n  b\n}')).toBe('Invalid JSON: see line 3, column 3.');
  });
});
