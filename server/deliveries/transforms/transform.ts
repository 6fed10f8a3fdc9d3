/** Has the function of a destination turn an event into the request, one step before its kind builds the request. */
import { isUtf8 } from 'node:buffer';
import { callTransform } from '../../functions/calls/transform-calls.ts';
import type { RunCause } from '../../functions/runs/run-record.ts';
import type { Services } from '../../platform/context.ts';
import { traceHeaders } from '../../platform/tracing/trace.ts';
import type { Target } from '../store/destinations/destinations.ts';
import { sendsEvent, standardBody } from '../targets/message-body.ts';
import type { Message, Outgoing } from '../targets/target.ts';
import { BadAnswer, type Changes, readAnswer } from './answer.ts';

/** The function and version that transform a request; `version` null: the live one. */
export type Transformer = { function_id: string; version: number | null };
/** The run that transformed a request, as attempts store it. */
export type TransformRun = Transformer & { run_id: string | null };
export type Transformed =
  | { outcome: 'SENT'; changes: Changes }
  | { outcome: 'SKIPPED' }
  | { outcome: 'FAILED'; message: string };

/** The transformation of a destination; null for none. */
export const transformerOf = ({
  transform_function_id,
  transform_version,
}: Pick<Target, 'transform_function_id' | 'transform_version'>): Transformer | null =>
  transform_function_id === null ? null : { function_id: transform_function_id, version: transform_version };

/**
 * What a function gets: the event, as a function that is a destination gets it, and the request that would be sent. A
 * body that is the event is omitted there.
 */
export function inputOf(target: Target, message: Message, { shown, body = shown.body }: Outgoing): string {
  const url = new URL(shown.url);
  const headers = Object.fromEntries(
    Object.entries(shown.headers).filter(([name]) => !name.toLowerCase().startsWith('webhook-')),
  );
  const request = {
    method: shown.method,
    path: url.pathname + url.search,
    headers,
    ...(sendsEvent(target) ? {} : bodyIn(body)),
  };
  return `${standardBody(target, message).slice(0, -1)},"request":${JSON.stringify(request)}}`;
}

function bodyIn(body: string | Buffer | null): { body: string | null; is_base64_encoded?: true } {
  if (body === null || typeof body === 'string') return { body };
  if (isUtf8(body)) return { body: body.toString() };
  return { body: body.toString('base64'), is_base64_encoded: true };
}

/** The headers of the request to the function. */
export const inputHeaders = (message: Message): [string, string][] => [
  ['content-type', 'application/json'],
  ['webhook-id', message.webhook_id ?? message.event_id],
  ...Object.entries(
    message.traceparent
      ? traceHeaders({ traceparent: message.traceparent, tracestate: message.tracestate ?? null })
      : {},
  ),
];

/** Reads an answer of the function. */
export function outcomeOf(text: string, { shown }: Pick<Outgoing, 'shown'>): Transformed {
  try {
    const changes = readAnswer(text, { method: shown.method, url: new URL(shown.url) });
    return changes === null ? { outcome: 'SKIPPED' } : { outcome: 'SENT', changes };
  } catch (error) {
    if (error instanceof BadAnswer) return { outcome: 'FAILED', message: `The function returned: ${error.message}` };
    throw error;
  }
}

/** Runs the transformation of one message. `outgoing`: its request without it. `cause` is null for a test. */
export async function transform(
  services: Services,
  transformer: Transformer,
  target: Target,
  message: Message,
  outgoing: Outgoing,
  cause: RunCause | null,
): Promise<{ run: TransformRun; transformed: Transformed }> {
  const { account_id } = message;
  const body = Buffer.from(inputOf(target, message, outgoing));
  const answer = await callTransform(services, { account_id, ...transformer }, inputHeaders(message), body, cause);
  const { run_id, version, text, problem } = answer;
  const run = { function_id: transformer.function_id, version, run_id };
  if (problem !== null) return { run, transformed: { outcome: 'FAILED', message: problem } };
  return { run, transformed: outcomeOf(text, outgoing) };
}
