/**
 * Parameters of tools that are repeated in headers (MCP 2026-07-28, `x-mcp-header` in a tool's schema): proxies between
 * client and server route by them. The server rejects a call whose headers differ from its arguments.
 */
import { isObject } from './wire.ts';

/** The server's error for a missing or different header. */
export const HEADER_MISMATCH = -32020;

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/;
const VISIBLE = /^[\t\x20-\x7e]+$/;
const ENCODED = /^=\?base64\?.*\?=$/;
const DEPTH_MAX = 32;
const HEADERS_MAX = 50;

/**
 * The headers of a call: `Mcp-Param-<name>` for each property with `x-mcp-header` that the arguments contain. Only
 * properties of objects, at any depth up to 32, can have one; up to 50 headers.
 */
export function parameterHeaders(schema: unknown, given: Record<string, unknown>): Record<string, string> {
  const headers: Record<string, string> = {};
  const visit = (node: unknown, value: unknown, depth: number): void => {
    if (!isObject(node) || depth > DEPTH_MAX) return;
    const name = node['x-mcp-header'];
    const text = plainText(value);
    if (typeof name === 'string' && TOKEN.test(name) && text !== undefined && Object.keys(headers).length < HEADERS_MAX)
      headers[`mcp-param-${name.toLowerCase()}`] = headerValue(text);
    if (!isObject(node['properties']) || !isObject(value)) return;
    for (const [key, child] of Object.entries(node['properties']))
      if (Object.hasOwn(value, key)) visit(child, value[key], depth + 1);
  };
  visit(schema, given, 0);
  return headers;
}

function plainText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number' && Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value)))
    return String(value);
  return undefined;
}

/** A text as the value of a header: visible ASCII unchanged, everything else as `=?base64?…?=`. */
export function headerValue(text: string): string {
  if (VISIBLE.test(text) && text === text.trim() && !ENCODED.test(text)) return text;
  return `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
