/** Resources that a test file starts once for all its tests. */
import { afterAll, beforeAll } from 'vitest';
import { type LocalApp, startEcho } from '../connections/test/custom-support.ts';
import { type Service, type ServiceOptions, startService } from './service.ts';
import { type Sink, startSink } from './sink.ts';

/**
 * Starts a resource before the first test and stops it after the last, in reverse order of these calls. The returned
 * object is empty until then, so read its properties only in tests and hooks. Reads and writes are forwarded to the
 * resource.
 */
export function forAll<T extends object>(start: () => Promise<T>, stop: (started: T) => Promise<void> = close): T {
  const forwarding = {} as T;
  beforeAll(async () => {
    const started = await start();
    for (const key of Reflect.ownKeys(started))
      Object.defineProperty(forwarding, key, {
        enumerable: true,
        get: () => Reflect.get(started, key),
        set: (value) => Reflect.set(started, key, value),
      });
  });
  afterAll(() => stop(forwarding));
  return forwarding;
}

/** Closes the resource if it has `close`. */
async function close(started: { close?: () => Promise<void> }): Promise<void> {
  await started.close?.();
}

export const sinkForAll = (): Sink => forAll(startSink);
export const echoForAll = (): LocalApp => forAll(startEcho);
/** Call it after `sinkForAll` and `echoForAll`, so that it stops first. */
export const serviceForAll = (options: ServiceOptions = {}): Service =>
  forAll(
    () => startService(options),
    (service) => service.stop(),
  );
