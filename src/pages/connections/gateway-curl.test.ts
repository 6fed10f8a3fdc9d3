import { expect, it } from 'vitest';
import { gatewayCurl } from './gateway-curl.ts';

const call = { baseUrl: 'https://sluice.example.com/api', app: 'ledger', path: 'v1/items?since=it\u0027s' };

it('is a command a shell reads back as it is meant', () => {
  expect(gatewayCurl(call)).toBe(
    `curl 'https://sluice.example.com/api/ledger/v1/items?since=it'\\''s' \\\n  -H "Authorization: Bearer $API_KEY"`,
  );
});

it('names the connection where one is given', () => {
  const connection = { connection_id: '01a1fd48-186a-7450-bb90-a3e1276506cd' };
  expect(gatewayCurl({ ...call, path: '/', connection })).toContain(
    `-H 'Service-Connection: 01a1fd48-186a-7450-bb90-a3e1276506cd'`,
  );
});
