import { expect, test } from 'vitest';
import { MASK } from '../../../../../contract/limits.ts';
import { NO_REST, type TypedRequest } from '../typed-request.ts';
import { ofSaved, type SavedRequest, toSave } from './saved-request.ts';

const typed: TypedRequest = { ...NO_REST, method: 'POST', path: '/items?a=1' };
const saved = (request: TypedRequest): SavedRequest => ({
  ...toSave(request, 'One'),
  saved_request_id: 'id',
  app: 'shop',
  created_by: 'Ann',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
});

test.each<Partial<TypedRequest>>([
  { kind: 'none', headers: [{ name: 'X-One', value: '1' }] },
  { kind: 'json', text: '{"a":1}' },
  { kind: 'form', form: [{ name: 'to & from', value: 'a b=ü' }] },
  { kind: 'multipart', parts: [{ name: 'note', value: 'two\nlines' }] },
])('a request is opened as it was saved: %j', (change) => {
  const request = { ...typed, ...change };
  expect(ofSaved(saved(request))).toEqual({ ...request, leftOut: [] });
});

test('masked values are empty, and named', () => {
  const one = saved({ ...typed, kind: 'json' });
  const headers: [string, string][] = [['X-Api-Key', MASK]];
  const opened = ofSaved({ ...one, headers, path: `/?key=${MASK}`, body: `{"password":"${MASK}"}` });
  expect(opened).toMatchObject({
    path: '/?key=',
    text: '{"password":""}',
    headers: [{ name: 'X-Api-Key', value: '' }],
  });
  expect(opened.leftOut).toEqual(['secrets', 'header values']);
  expect(ofSaved({ ...one, body_kind: 'file', body: '' }).leftOut).toEqual(['files']);
});
