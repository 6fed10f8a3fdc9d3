import { expect, it } from 'vitest';
import type { GatewayDefinition } from '../../connections/apps/definition.ts';
import { appError } from './app-response.ts';

const failure = { path: 'ok', success: true, error: 'error' };
const answered = (body: string, more: { status?: number; truncated?: boolean } = {}) =>
  appError(
    { failure } as unknown as GatewayDefinition,
    {
      status: 200,
      headers: {},
      body,
      truncated: false,
      ...more,
    } as unknown as Parameters<typeof appError>[1],
  );

it('reads the error of a 2xx response where the app defines it', () => {
  expect(answered('{"ok":true}')).toBeNull();
  expect(answered('{"ok":false,"error":"not_in_channel"}')).toEqual({
    reason: 'APP_ERROR',
    message: 'It returned 200 with the error not_in_channel.',
  });
  expect(answered('{"ok":false}')?.message).toBe('It returned 200 with the error ok is false.');
});

it('finds none in other statuses, in parts of a body, in text and in JSON that is nested too deeply', () => {
  const wrong = '{"ok":false,"error":"x"}';
  expect(answered(wrong, { status: 500 })).toBeNull();
  expect(answered(wrong, { truncated: true })).toBeNull();
  expect(answered('<html>')).toBeNull();
  expect(answered(`{"ok":false,"error":${'['.repeat(50_000)}${']'.repeat(50_000)}}`)).toBeNull();
});
