/** The stream of changes: its first message, the changes it reports, and where it resumes. */
import { describe, expect, it } from 'vitest';
import { signIn } from './browser.ts';
import { serviceForAll } from './shared-set-up.ts';

const service = serviceForAll();

const newKey = (name: string) => service.api('POST', '/api-keys', { name });

describe('the live stream', () => {
  it('is not opened by HEAD, which would never end', async () => {
    const headers = { authorization: `Bearer ${service.key}` };
    for (let count = 0; count < 60; count++) {
      const head = await fetch(`${service.url}/api/events:stream`, { method: 'HEAD', headers });
      expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    }
    const stream = await fetch(`${service.url}/api/events:stream`, { headers });
    expect(stream.status).toBe(200);
    await stream.body?.cancel();
  });

  it('sends a first message, reports a change, and resumes after the last one seen', async () => {
    const open = (lastId?: string) =>
      fetch(`${service.url}/api/events:stream`, {
        headers: { authorization: `Bearer ${service.key}`, ...(lastId ? { 'last-event-id': lastId } : {}) },
      });
    const first = await reader(await open());
    const hello = await first.until('event: hello');
    const lastId = hello.match(/id: (\S+)/)?.[1] ?? '';
    await newKey('seen live');
    expect(await first.until('event: change')).toContain('"noun":"account"');
    await first.cancel();
    await newKey('missed');
    const second = await reader(await open(lastId));
    expect(await second.until('event: change')).toContain('"noun":"account"');
    await second.cancel();
    const position = (await (await signIn(service)).call<{ session: { live_position: string } }>('GET', '/session'))
      .body.session.live_position;
    await newKey('made while a page was loading');
    const loading = await reader(await open(position));
    expect(await loading.until('event: change')).toContain('"noun":"account"');
    await loading.cancel();
    const third = await reader(await open('another-process.7'));
    expect(await third.until('event: resync')).toContain('resync');
    await third.cancel();
  });
});

async function reader(response: Response) {
  const stream = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    async until(mark: string): Promise<string> {
      while (!text.includes(mark) || !text.slice(text.indexOf(mark)).includes('\n\n')) {
        const chunk = await stream?.read();
        if (!chunk || chunk.done) throw new Error(`the stream ended before "${mark}": ${text}`);
        text += chunk.value;
      }
      return text.slice(text.indexOf(mark));
    },
    cancel: async () => stream?.cancel(),
  };
}
