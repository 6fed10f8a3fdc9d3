/** What an open tab of the console gets from a node: the messages of its live stream. */
import type { LiveChange } from '../../contract/live.ts';

export type Tab = { changes: LiveChange[]; events: string[]; close(): void };

/** Opens the stream of a node; resolves once it is open. */
export async function openTab(url: string, key: string): Promise<Tab> {
  const abort = new AbortController();
  const response = await fetch(`${url}/api/events:stream`, {
    headers: { authorization: `Bearer ${key}` },
    signal: abort.signal,
  });
  const tab: Tab = { changes: [], events: [], close: () => abort.abort() };
  const opened = Promise.withResolvers<void>();
  void (async () => {
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const messages = text.split('\n\n');
      text = messages.pop() ?? '';
      for (const message of messages) {
        const event = /^event: (.*)$/m.exec(message)?.[1];
        const data = /^data: (.*)$/m.exec(message)?.[1];
        if (event) tab.events.push(event);
        if (event === 'change') tab.changes.push(...(JSON.parse(data ?? '[]') as LiveChange[]));
      }
      opened.resolve();
    }
  })().catch(() => {});
  await opened.promise;
  return tab;
}
