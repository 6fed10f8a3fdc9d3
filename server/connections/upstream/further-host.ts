/** Selects one of the hosts of an app: by the path `/~<host>/…`, else the default of the connection. */
import { badRequest } from '../../lib/failure.ts';
import type { Upstream } from './upstream.ts';

/** The host of the base URL, for calls with a connection that has another host by default. */
const MAIN = 'main';

/** The upstream and the path of a request of the service: at the host of `/~<host>/…`, or the connection's default. */
export function addressedPath(main: Upstream, path: string): { upstream: Upstream; rest: string } {
  const { name = main.options.host, rest } = hostInPath(main, path);
  return { upstream: name === undefined ? main : atHost(main, name), rest };
}

/** The host of `/~<host>/…`, and the path below it. */
export function hostInPath({ hosts }: Upstream, path: string): { name: string | undefined; rest: string } {
  if (path.startsWith('/~') && hosts.size > 0) {
    const [whole = '', name = ''] = /^\/~([a-z0-9-]+)(?=[/?]|$)/.exec(path) ?? [];
    if (hosts.has(name)) return { name, rest: path.slice(whole.length) };
  }
  return { name: undefined, rest: path };
}

/** The same connection at another host. Throws 400 for a host that the app does not have. */
export function atHost(main: Upstream, name: string): Upstream {
  if (name === MAIN) return main;
  const place = main.hosts.get(name);
  if (!place) {
    const names = [MAIN, ...main.hosts.keys()].join(', ');
    throw badRequest(`Service-Host: expected one of ${names} for ${main.app}, not ${name.slice(0, 64)}`);
  }
  const { refresh } = main;
  return { ...main, ...place, ...(refresh ? { refresh: async () => atHost(await refresh(), name) } : {}) };
}
