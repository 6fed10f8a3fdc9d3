/** Measures the first response of new Python functions; undefined when the service has no Python runtime. */
import { p50, p95 } from './cold.ts';
import { type Host, pause } from './host.ts';

const CODE = (n: number) => `def handler(event, context):\n    return "hello ${n}"\n`;
const BETWEEN_MS = 1_000;

export async function python(host: Host, times: number): Promise<{ p50: number; p95: number } | undefined> {
  const ms: number[] = [];
  for (let n = 0; n < times; n++) {
    const settings = { runtime: 'python3.12', files: { 'main.py': CODE(n) }, handler: 'main.handler' };
    const fn = await host.publish('', settings).catch((error: unknown) => {
      if (n > 0) throw error;
    });
    if (!fn) return undefined;
    // Leftover work of the previous function must not be measured.
    await pause(BETWEEN_MS);
    const result = await host.call(fn);
    if (result.status !== 200) throw new Error(`Python responded ${result.status}: ${result.text.slice(0, 200)}`);
    ms.push(result.ms);
  }
  return { p50: p50(ms), p95: p95(ms) };
}
