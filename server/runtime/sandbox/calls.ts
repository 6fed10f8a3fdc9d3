/** The connection for small requests: one per process, shared by all runs. The first client is the service. */
import type { Sent } from '../fleet/frames.ts';
import { deno } from './deno.ts';
import { report } from './report.ts';
import { isLive, leaveRun, runCall } from './runs.ts';

// Saved before a function's code can replace them.
const { parse } = JSON;
const READ_BYTES = 65_536;
const decoder = new TextDecoder();
const decode = decoder.decode.bind(decoder);

/** Resolves when the service has closed the connection. */
export async function takeCalls(path: string): Promise<void> {
  const listener = deno.listen({ transport: 'unix', path });
  const conn = await listener.accept();
  listener.close();
  const into = new Uint8Array(READ_BYTES);
  let pending = '';
  for (;;) {
    const count = await conn.read(into);
    if (count === null) return;
    const lines = (pending + decode(into.subarray(0, count), { stream: true })).split('\n');
    pending = lines.pop() ?? '';
    for (const line of lines) take(parse(line));
  }
}

function take(sent: Sent): void {
  if (sent[0] === 'call') {
    const [, ...call] = sent;
    void runCall(call);
  } else if (sent[0] === 'leave') leaveRun(sent[1]);
  else report(['pong', isLive(sent[1]), sent[2]]);
}
