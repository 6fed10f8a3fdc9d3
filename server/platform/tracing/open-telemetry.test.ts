/** The queue of spans, with a collector that never responds. */
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { startOtlpReceiver } from '../../test/otlp-receiver.ts';
import { createMeasures } from '../measures.ts';
import { readTracing } from './settings.ts';
import { openTracing } from './tracing.ts';

it('drops and counts the spans beyond 4,096 that wait, and closes in time', async () => {
  const collector = await startOtlpReceiver(() => undefined);
  onTestFinished(() => collector.close());
  const measures = createMeasures();
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  const settings = readTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const tracing = await openTracing(settings, { log, measures, version: '0.0.0', nodeId: 'node' });
  for (let n = 0; n < 5000; n++) tracing?.start('hook', 'SERVER', undefined, {}).end({ status: 200 }, false);
  expect(await measures.registry?.metrics()).toContain('sluice_trace_spans_total{outcome="DROPPED"} 904');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('spans could not be sent to the collector');
  await tracing?.close();
});
