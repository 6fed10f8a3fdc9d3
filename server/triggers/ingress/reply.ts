/**
 * The reply that a trigger of the source `webhook` defines for accepted requests, such as TwiML or the answer to a
 * challenge. It is sent after the events are stored. Webhook URLs may share an origin with the console, so a reply
 * cannot be a page or a script.
 */
import {
  jsonProblem,
  parseTemplate,
  renderTemplate,
  type Template,
  TemplateError,
} from '../../../contract/text/body-template.ts';
import { parseExactly } from '../../../contract/text/exact-json.ts';
import type { RequestValues } from '../../../contract/text/request-values.ts';
import { isJsonType } from '../../deliveries/targets/message-body.ts';
import { now } from '../../lib/clock.ts';
import { badRequest } from '../../lib/failure.ts';

/** The parameter `reply`, as its schema takes it. */
export type ReplyParameter = { status?: number; body?: string; headers?: Record<string, string> };
export type Reply = { status: number; body: string; headers: Record<string, string> };
/** A reply that is ready to be rendered. */
export type PreparedReply = { status: number; template: Template; isJson: boolean; headers: Record<string, string> };

const ALLOWED_HEADER = /^(?:content-type|content-language|cache-control|x-[a-z0-9_-]{1,100})$/;
const SERVICE_HEADER = /^x-(?:request-id|content-type-options|frame-options|xss-protection)$/;
const ACTIVE_TYPE = /html|svg|script|css|wasm/i;

/** Refuses a reply that could not be sent; the error names the parameter. */
export function checkReply(given: ReplyParameter): void {
  const { status = 200, body = '', headers = {} } = given;
  const refuse = (name: string, message: string) => badRequest(`parameters.reply.${name}: ${message}`);
  const names = new Set<string>();
  for (const [given, value] of Object.entries(headers)) {
    const name = given.toLowerCase();
    if (!ALLOWED_HEADER.test(name) || SERVICE_HEADER.test(name))
      throw refuse(`headers.${given}`, 'expected Content-Type, Content-Language, Cache-Control or a name with X-');
    if (names.has(name)) throw refuse(`headers.${given}`, 'expected each header once');
    if (value.length > 1000 || !/^[\t\x20-\x7e]*$/.test(value))
      throw refuse(`headers.${given}`, 'expected at most 1000 printable characters');
    if (name === 'content-type' && ACTIVE_TYPE.test(value))
      throw refuse(`headers.${given}`, 'a page or a script cannot be a reply');
    names.add(name);
  }
  if ((status === 204 || status === 205) && body !== '')
    throw refuse('body', `expected none, as status ${status} has no body`);
  let problem: string | null;
  try {
    const { template, isJson } = prepareReply(given);
    problem = isJson && body !== '' ? jsonProblem(template) : null;
  } catch (error) {
    throw error instanceof TemplateError ? refuse('body', error.message) : error;
  }
  if (problem !== null) throw refuse('body', `expected a template for JSON, as the Content-Type says: ${problem}`);
}

export function prepareReply({ status = 200, body = '', headers = {} }: ReplyParameter): PreparedReply {
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const type = lower['content-type'] ?? 'text/plain; charset=utf-8';
  const all = body === '' ? lower : { ...lower, 'content-type': type };
  return { status, template: parseTemplate(body), isJson: isJsonType(type), headers: all };
}

type Values = {
  payload: string;
  request: RequestValues;
  event_id: string;
  event_url: string;
  trigger_id: string;
  trigger_name: string;
  event_type: string;
};

/** The reply to a request. Undefined if the rendered body is too large. */
export function renderReply({ status, template, isJson, headers }: PreparedReply, values: Values): Reply | undefined {
  const all = { ...values, source: 'webhook', received_at: now() };
  const body = renderTemplate(template, all, parseExactly, isJson ? 'json' : 'text');
  return body === undefined ? undefined : { status, body, headers };
}
