/** Loaded before the service: replaces the worker that indexes events for search. */
import { registerHooks } from 'node:module';

const REPLACED = '/server/deliveries/events/search-indexer.ts';
const BY = new URL('./replaced-indexer.ts', import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    return found.url.endsWith(REPLACED) ? { ...found, url: BY } : found;
  },
});
