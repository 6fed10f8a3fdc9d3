/** Resources that a test file starts once for all its tests. */
import { afterAll, afterEach, beforeAll } from 'vitest';
import { type LocalApp, startEcho } from '../connections/test/custom-support.ts';
import { type Service, type ServiceOptions, startService } from './service.ts';
import { type Sink, startSink } from './sink.ts';
import { type Folder, type Spawned, scratch, start } from './spawned.ts';

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

/** For tests of the program in separate processes: those still running are killed after each test. */
export function spawnedForEach() {
  const folders: Folder[] = [];
  const running: Spawned[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((service) => service.kill('SIGKILL')));
    for (const each of folders.splice(0)) each.remove();
  });
  return {
    /** A new data folder. */
    folder(): string {
      const made = scratch();
      folders.push(made);
      return made.path;
    },
    async run(...args: Parameters<typeof start>): Promise<Spawned> {
      const service = await start(...args);
      running.push(service);
      return service;
    },
  };
}
