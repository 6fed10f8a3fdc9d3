import { describe, expect, test } from 'vitest';
import { curlOf } from './curl.ts';

const base = 'http://localhost:4400/api';
const trigger_id = '019aa6c1-7e96-7c02-9d41-5b0e2f8a6c13';
const event_id = '019aa6c1-7e96-7c02-9d41-5b0e2f8a6c14';

describe('Copy as curl', () => {
  test('a GET request includes its filters and omits unset ones', () => {
    expect(curlOf('eventListAll', base, { query: { status: 'FAILED', q: '', trigger_id: undefined } })).toBe(
      `curl 'http://localhost:4400/api/events?status=FAILED' \\\n  -H "Authorization: Bearer $API_KEY"`,
    );
  });

  test('a custom verb follows the id, with its method', () => {
    expect(curlOf('eventReplay', base, { params: { trigger_id, event_id } })).toContain(
      `-X POST 'http://localhost:4400/api/triggers/${trigger_id}/events/${event_id}:replay'`,
    );
  });

  test('quotes in a body survive the shell', () => {
    const command = curlOf('apiKeyCreate', base, { body: { name: "Ann's laptop" } });
    expect(command).toContain(`"name": "Ann'\\''s laptop"`);
    expect(command).toContain(`-H 'Content-Type: application/json'`);
  });

  test('parameters are encoded', () => {
    expect(curlOf('appGet', base, { params: { app: 'a/b?c' } })).toContain('/apps/a%2Fb%3Fc');
  });
});
