import { expect, test } from 'vitest';
import type { Connection, GatewayCall } from '../../api/entities.ts';
import { whereToRetry } from './trying.ts';

const connection = (method: string) => ({ connection_id: 'c1', method }) as Connection;
const call = (path: string) => ({ method: 'POST', path }) as GatewayCall;

test('a call is made again in the request builder, a tool in its panel, a message of MCP nowhere', () => {
  expect(whereToRetry(connection('API_KEY'), call('/items'))).toBe('/connections/c1/try?method=POST&path=%2Fitems');
  expect(whereToRetry(connection('MCP'), call('/get%20sum'))).toBe('/connections/c1/tools/get%20sum');
  for (const path of ['/mcp', '/mcp/', '/', '/%zz'])
    expect(whereToRetry(connection('MCP'), call(path))).toBeUndefined();
});
