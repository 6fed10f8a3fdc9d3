/** Loaded before the service: replaces the module that stores events and attempts. */
import { registerHooks } from 'node:module';

const REPLACED = '/server/deliveries/store/queue/delivery-queue.ts';
const BY = new URL('./without-statements.ts', import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    return found.url.endsWith(REPLACED) && context.parentURL !== BY ? { ...found, url: BY } : found;
  },
});
