/**
 * Connects to the service's gateway. A process cannot reach internal addresses, so requests to GATEWAY_URL use a socket
 * of the service; the name is never resolved. Each run has a separate token: it is in the environment while code of
 * that run executes, even with concurrent runs in the process, and is invalid afterwards.
 */
import { GATEWAY_ORIGIN, REFUSAL_HEADER } from '../fleet/frames.ts';
import { withMatchingHeaders } from './decompressed-response.ts';
import { deno } from './deno.ts';
import { changeNode } from './node.ts';
import type { CheckUrl } from './refusals.ts';
import { RunRequest } from './request.ts';
import { currentScope } from './scope.ts';

/** Environment variables besides those of the function. */
export const gatewayEnv = (): Record<string, string> => {
  const { gatewayToken } = currentScope();
  return gatewayToken ? { GATEWAY_URL: GATEWAY_ORIGIN, GATEWAY_TOKEN: gatewayToken } : {};
};

/**
 * Called before the permission to open files is dropped. Other requests use `egress` if it is the only network access,
 * and are checked by `checkUrl` otherwise.
 */
export function openGateway(socketPath: string, egress: object | undefined, checkUrl: CheckUrl | undefined): void {
  const client = deno.createHttpClient({ proxy: { transport: 'unix', path: socketPath } });
  const plain = globalThis.fetch;
  globalThis.fetch = async (input, given) => {
    const init = RunRequest.withSignal(input, given);
    const way = isGateway(input) ? client : egress;
    if (!way) checkUrl?.(input instanceof Request ? input.url : String(input));
    const response = await plain(input, way ? ({ ...init, client: way } as RequestInit) : init);
    const refusal = way === egress && response.headers.get(REFUSAL_HEADER);
    if (refusal) throw new TypeError(`fetch failed: ${refusal}`);
    return withMatchingHeaders(response, input, init);
  };
  extendEnvironment();
}

function isGateway(input: string | URL | Request): boolean {
  const address = input instanceof Request ? input.url : String(input);
  return URL.parse(address)?.origin === GATEWAY_ORIGIN;
}

function extendEnvironment(): void {
  const names = () => Object.keys(gatewayEnv());
  changeNode((_, process) => {
    const view = new Proxy(process.env, {
      get: (target, name) => (typeof name === 'string' ? gatewayEnv()[name] : undefined) ?? Reflect.get(target, name),
      has: (target, name) => names().includes(String(name)) || Reflect.has(target, name),
      ownKeys: (target) => [...new Set([...Reflect.ownKeys(target), ...names()])],
      getOwnPropertyDescriptor(target, name) {
        const value = gatewayEnv()[String(name)];
        if (value === undefined) return Reflect.getOwnPropertyDescriptor(target, name);
        return { value, enumerable: true, configurable: true, writable: true };
      },
    });
    Object.defineProperty(process, 'env', { value: view, configurable: true });
  });
  const { get, has, toObject } = deno.env;
  Object.assign(deno.env, {
    get: (name: string) => gatewayEnv()[name] ?? get.call(deno.env, name),
    has: (name: string) => names().includes(name) || has.call(deno.env, name),
    toObject: () => ({ ...toObject.call(deno.env), ...gatewayEnv() }),
  });
}
