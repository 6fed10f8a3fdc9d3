import { describe, expect, test } from 'vitest';
import { FIRST_REQUEST, readRequest, typedFrom } from './request.ts';

describe('request form values', () => {
  test('map query, headers and body to the fields of the operation', () => {
    const typed = {
      method: 'PUT',
      path: '/a/b?x=1&y=a%20b',
      headers: 'X-One: 1\n\ncontent-type:text/plain',
      body: 'hi',
    } as const;
    expect(readRequest(typed)).toEqual({
      body: {
        method: 'PUT',
        path: '/a/b',
        query: { x: '1', y: 'a b' },
        headers: { 'x-one': '1', 'content-type': 'text/plain' },
        body: 'hi',
      },
    });
  });

  test('send no body with GET', () => {
    expect(readRequest({ ...FIRST_REQUEST, method: 'GET' })).toMatchObject({ body: { body: '' } });
  });

  test('report problems by field', () => {
    expect(readRequest({ ...FIRST_REQUEST, path: 'a' })).toEqual({ mistakes: { path: expect.stringContaining('/') } });
    expect(readRequest({ ...FIRST_REQUEST, headers: 'a: b\nno colon' })).toEqual({
      mistakes: { headers: 'Line 2: expected "name: value".' },
    });
  });

  test('restore a stored request without masked values', () => {
    const request = {
      method: 'POST',
      raw_path: '/hook',
      path: '/hook',
      raw_query_string: 'a=1',
      query_params: { a: '1' },
      headers: { authorization: 'redacted', host: 'fn', 'x-kept': 'yes' },
      cookies: [],
      body: '{}',
      is_base64_encoded: false,
      source_ip: '127.0.0.1',
      user_agent: '',
      protocol: 'HTTP/1.1',
      host: 'fn',
      label: 'fn',
    };
    const { typed, leftOut } = typedFrom({ request });
    expect(typed).toEqual({ method: 'POST', path: '/hook?a=1', headers: 'x-kept: yes', body: '{}' });
    expect(leftOut).toEqual(['authorization']);
  });
});
