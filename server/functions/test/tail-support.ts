/** Reads the tail of a function's log like a client. */
import { expect } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import type { Service } from '../../test/service.ts';
import type { HostedFunction } from './functions-support.ts';

export type TailLine = Reply<'functionLogList'>['events'][number];
export type Tail = {
  lines: TailLine[];
  readonly lastId: string;
  hello(): Promise<void>;
  until(enough: (lines: TailLine[]) => boolean): Promise<void>;
  untilEvent(event: string): Promise<void>;
  close(): Promise<void>;
};

export async function openTail(
  service: Service,
  { function_id }: Pick<HostedFunction, 'function_id'>,
  query: Record<string, string> = {},
  lastId?: string,
): Promise<Tail> {
  const response = await fetch(`${service.url}/api/functions/${function_id}/logs:tail?${new URLSearchParams(query)}`, {
    headers: { authorization: `Bearer ${service.key}`, ...(lastId ? { 'last-event-id': lastId } : {}) },
  });
  expect(response.status).toBe(200);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const lines: TailLine[] = [];
  const events: string[] = [];
  let seen = '';
  let rest = '';

  async function next(): Promise<void> {
    const { done, value = '' } = (await reader?.read()) ?? { done: true };
    if (done) throw new Error('the tail ended');
    const messages = (rest + value).split('\n\n');
    rest = messages.pop() ?? '';
    for (const message of messages) {
      const event = /^event: (.*)$/m.exec(message)?.[1];
      if (event === undefined) continue;
      events.push(event);
      seen = /^id: (.*)$/m.exec(message)?.[1] ?? seen;
      if (event === 'lines') lines.push(...(JSON.parse(/^data: (.*)$/m.exec(message)?.[1] ?? '[]') as TailLine[]));
    }
  }

  const untilEvent = async (event: string) => {
    while (!events.includes(event)) await next();
  };
  return {
    lines,
    get lastId() {
      return seen;
    },
    hello: () => untilEvent('hello'),
    async until(enough) {
      while (!enough(lines)) await next();
    },
    untilEvent,
    close: async () => reader?.cancel(),
  };
}
