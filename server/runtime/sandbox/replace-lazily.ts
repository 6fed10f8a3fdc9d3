/**
 * Puts something else in the place of what Deno loads when it is first touched, without touching it: a function that
 * has no use for it doesn't wait for it.
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
