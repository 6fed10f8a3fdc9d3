/** What a test file starts once for all its tests. */
import { afterAll, beforeAll } from 'vitest';
import { type LocalApp, startEcho } from '../connections/test/custom-support.ts';
import { type Service, type ServiceOptions, startService } from './service.ts';
import { type Sink, startSink } from './sink.ts';

/**
 * Starts it before the first test and stops it after the last, in the reverse order of such calls. Until then the object
 * is empty: read its properties in tests and hooks only.
 */
function shared<T extends object>(start: () => Promise<T>, stop: (started: T) => Promise<void>): T {
  const started = {} as T;
  beforeAll(async () => {
    Object.defineProperties(started, Object.getOwnPropertyDescriptors(await start()));
  });
  afterAll(() => stop(started));
  return started;
}

export const sinkForAll = (): Sink => shared(startSink, (sink) => sink.close());
export const echoForAll = (): LocalApp => shared(startEcho, (echo) => echo.close());
/** Call it after `sinkForAll` and `echoForAll`, so that it stops before them. */
export const serviceForAll = (options: ServiceOptions = {}): Service =>
  shared(
    () => startService(options),
    (service) => service.stop(),
  );
