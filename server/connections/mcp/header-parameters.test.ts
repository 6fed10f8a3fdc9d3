import { describe, expect, it } from 'vitest';
import { headerValue, parameterHeaders } from './header-parameters.ts';

describe('headers for parameters', () => {
  it('are those of properties at any depth that the arguments contain', () => {
    const schema = {
      type: 'object',
      properties: {
        region: { type: 'string', 'x-mcp-header': 'Region' },
        place: { type: 'object', properties: { zone: { type: 'integer', 'x-mcp-header': 'Zone' } } },
        missing: { type: 'string', 'x-mcp-header': 'Missing' },
        list: { type: 'array', items: { type: 'string', 'x-mcp-header': 'Item' } },
      },
    };
    const given = { region: 'eu', place: { zone: 7 }, list: ['a'] };
    expect(parameterHeaders(schema, given)).toEqual({ 'mcp-param-region': 'eu', 'mcp-param-zone': '7' });
  });

  it('are none for invalid names, other types and inherited properties', () => {
    const named = (name: unknown) => ({ properties: { a: { 'x-mcp-header': name } } });
    expect(parameterHeaders(named('A\r\nX: y'), { a: 'x' })).toEqual({});
    expect(parameterHeaders(named(''), { a: 'x' })).toEqual({});
    expect(parameterHeaders(named(7), { a: 'x' })).toEqual({});
    expect(parameterHeaders(named('A'), { a: ['x'] })).toEqual({});
    expect(parameterHeaders(named('A'), { a: 2 ** 60 })).toEqual({});
    expect(parameterHeaders({ properties: { constructor: { 'x-mcp-header': 'A' } } }, {})).toEqual({});
    expect(parameterHeaders(null, { a: 'x' })).toEqual({});
  });

  it('are limited in depth and number', () => {
    let schema: object = { 'x-mcp-header': 'Deep' };
    let given: unknown = 'x';
    for (let depth = 0; depth < 1000; depth++) {
      schema = { properties: { a: schema } };
      given = { a: given };
    }
    expect(parameterHeaders(schema, given as Record<string, unknown>)).toEqual({});
    const names = Array.from({ length: 100 }, (_, at) => `n${at}`);
    const many = { properties: Object.fromEntries(names.map((name) => [name, { 'x-mcp-header': name }])) };
    expect(Object.keys(parameterHeaders(many, Object.fromEntries(names.map((name) => [name, 1]))))).toHaveLength(50);
  });

  it('are visible ASCII, or encoded', () => {
    expect(headerValue('eu west\t1')).toBe('eu west\t1');
    for (const text of ['', ' x', 'ä', 'a\nb', '=?base64?eA==?='])
      expect(headerValue(text)).toBe(`=?base64?${Buffer.from(text).toString('base64')}?=`);
  });
});
