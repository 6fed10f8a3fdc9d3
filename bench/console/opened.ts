/** The built console in a browser, signed in to its own service with a webhook trigger and events. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, type Page } from '@playwright/test';
import { findChromium } from '../../scripts/chromium.ts';
import { ADMIN } from '../../server/test/spawned.ts';
import { type Host, startHost } from '../hosted/host.ts';

export type Opened = {
  host: Host;
  browser: Browser;
  url: string;
  trigger_id: string;
  /** A page of a separate signed-in browser context. */
  newPage(): Promise<Page>;
  /** Sends `count` events, at most `perSecond`. */
  send(count: number, perSecond?: number): Promise<void>;
  stop(): Promise<void>;
};

/** Half of the deliveries succeed, the rest fail once and are retried. */
export async function openConsole(): Promise<Opened> {
  const host = await startHost();
  const sink = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(request.url === '/failing' ? 500 : 200).end());
  }).listen(0, '127.0.0.1');
  await once(sink, 'listening');
  const base = `http://127.0.0.1:${(sink.address() as AddressInfo).port}`;
  const executablePath = findChromium();
  const browser = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args: ['--disable-gpu'] });
  const url = host.service.url;
  const { body } = await host.service.call<{ trigger: { trigger_id: string; ingress: { url: string } } }>(
    'POST',
    '/triggers',
    {
      name: 'orders',
      source: 'webhook',
      event_type: 'webhook.received',
      destinations: [
        { name: 'erp', url: `${base}/erp` },
        { name: 'old-billing', url: `${base}/failing` },
      ],
    },
  );
  const { trigger } = body;
  let sent = 0;
  return {
    host,
    browser,
    url,
    trigger_id: trigger.trigger_id,
    async newPage() {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
      const response = await page.request.post(`${url}/api/session`, {
        data: { email: ADMIN.email, password: ADMIN.password },
        headers: { origin: url },
      });
      if (!response.ok()) throw new Error(`sign-in failed: ${response.status()}`);
      return page;
    },
    async send(count, perSecond = 200) {
      const startMs = performance.now();
      for (let made = 0; made < count; ) {
        const due = Math.min(count, Math.ceil(((performance.now() - startMs) * perSecond) / 1000));
        const batch = Array.from({ length: due - made }, () =>
          fetch(trigger.ingress.url, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ order: ++sent, items: [{ sku: 'A-1', price: 19.95 }], customer: { id: 'c-17' } }),
          }).then((response) => response.arrayBuffer()),
        );
        made = Math.max(made, due);
        await Promise.all(batch);
        await new Promise((next) => setTimeout(next, 20));
      }
    },
    async stop() {
      await browser.close();
      await host.stop();
      sink.closeAllConnections();
      sink.close();
    },
  };
}
