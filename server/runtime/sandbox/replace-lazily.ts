/**
 * Replaces a global that Deno loads on first use, without loading it, so that functions that do not use it do not wait
 * for it.
 */
export function replaceLazily<T extends object, K extends keyof T>(
  target: T,
  name: K,
  change: (genuine: T[K]) => T[K],
): void {
  const genuine = Object.getOwnPropertyDescriptor(target, name);
  const form = { configurable: true, enumerable: genuine?.enumerable ?? false };
  const settle = (value: T[K]) => Object.defineProperty(target, name, { ...form, value, writable: true });
  Object.defineProperty(target, name, {
    ...form,
    get() {
      const value = change(genuine?.get ? genuine.get.call(target) : genuine?.value);
      settle(value);
      return value;
    },
    set: settle,
  });
}
