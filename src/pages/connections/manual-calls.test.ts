import { expect, test } from 'vitest';
import type { Connection, GatewayCall } from '../../api/entities.ts';
import { repeatPath } from './manual-calls.ts';

const connection = (method: string) => ({ connection_id: 'c1', method }) as Connection;
const call = (path: string) => ({ method: 'POST', path }) as GatewayCall;

test('a call is repeated in the request builder, a tool call in its panel, an MCP message nowhere', () => {
  expect(repeatPath(connection('API_KEY'), call('/items'))).toBe('/connections/c1/try?method=POST&path=%2Fitems');
  expect(repeatPath(connection('MCP'), call('/get%20sum'))).toBe('/connections/c1/tools/get%20sum');
  for (const path of ['/mcp', '/mcp/', '/', '/%zz']) expect(repeatPath(connection('MCP'), call(path))).toBeUndefined();
});
