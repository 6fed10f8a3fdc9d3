/** Streamed replies: each part holds the whole result so far, the last one is the complete reply. */
import { SEARCH_EVENTS } from '../../contract/live.ts';
import { ApiError, isErrorBody } from './api-error.ts';
import { request } from './client.ts';
import type { AnyInput, Operation, Reply } from './operation.ts';

const unreachable = () => new ApiError({ status: 0, type: 'Network', message: 'The service could not be reached.' });

/** Calls an operation as an event stream, passes each part to `onPart` and resolves with the reply. */
export function callStreaming<O extends Operation>(
  operation: O,
  input: AnyInput,
  signal: AbortSignal,
  onPart: (part: Reply<O>) => void,
): Promise<Reply<O>> {
  return callWithEvents(operation, input, signal, (event, data) => {
    if (event === SEARCH_EVENTS.results) onPart(data as Reply<O>);
  });
}

/** Calls an operation as an event stream, passes each message to `onEvent` and resolves with that of `done`. */
export async function callWithEvents<O extends Operation>(
  operation: O,
  input: AnyInput,
  signal: AbortSignal,
  onEvent: (event: string, data: unknown) => void,
): Promise<Reply<O>> {
  const response = await request(operation, input, signal, 'text/event-stream');
  // a proxy may have buffered the stream into a single response
  if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream')) return response.json();
  try {
    for await (const { event, data } of messagesOf(response.body)) {
      if (event === SEARCH_EVENTS.done) return JSON.parse(data);
      if (event === SEARCH_EVENTS.error) throw failureOf(JSON.parse(data), response);
      onEvent(event, JSON.parse(data));
    }
  } catch (thrown) {
    throw signal.aborted || thrown instanceof ApiError ? thrown : unreachable();
  }
  if (signal.aborted) throw signal.reason;
  throw unreachable();
}

function failureOf(body: unknown, response: Response): ApiError {
  const said = isErrorBody(body) ? body : { code: 500, type: 'Error', message: 'The response was cut off.' };
  const requestId = response.headers.get('x-request-id') ?? undefined;
  return new ApiError({ status: said.code, type: said.type, message: said.message, requestId });
}

export async function* messagesOf(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let rest = ''; ; ) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + value).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const field = (name: string) =>
          block
            .split('\n')
            .filter((line) => line.startsWith(`${name}: `))
            .map((line) => line.slice(name.length + 2))
            .join('\n');
        const event = field('event');
        if (event) yield { event, data: field('data') };
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
