/**
 * Rewrites URLs of an app in its response to URLs of the gateway, so that a client that follows them sends the account's
 * key to the gateway and not to the app. Only on request: responses are otherwise returned unchanged.
 */
import type { Place } from '../../connections/apps/compile.ts';
import type { Upstream } from '../../connections/upstream/upstream.ts';
import { rewriteStrings } from './rewrite-strings.ts';

/** A URL of the app: where it starts, and its base URL at the gateway. */
type Origin = { host: string; base_path: string; gatewayUrl: string };

export class LinkRewriter {
  readonly #origins: Origin[];
  /** The host of the call, for links that begin with `/`. */
  readonly #own: Origin;
  readonly #jsonLinks: Upstream['options']['jsonLinks'];
  /** Query parameters with the app's credential, which the gateway adds to each call. */
  readonly #credentials: ReadonlySet<string>;

  /** `main`: the upstream of the base URL; `called`: that of this call. `gatewayUrl`: the base URL as the caller sees it. */
  constructor(main: Upstream, called: Place, gatewayUrl: string) {
    const at = ({ origin, base_path }: Place, url: string): Origin => ({
      host: new URL(origin).host,
      base_path,
      gatewayUrl: url,
    });
    const further = [...main.hosts].map(([name, place]) => at(place, `${gatewayUrl}/~${name}`));
    const first = at(main, gatewayUrl);
    this.#origins = [first, ...further];
    this.#own =
      this.#origins.find(({ host, base_path }) => host === called.host && base_path === called.base_path) ?? first;
    this.#jsonLinks = main.options.jsonLinks;
    this.#credentials = new Set(main.query.map(([name]) => name));
  }

  /** Whether JSON bodies have links. */
  get readsJson(): boolean {
    return this.#jsonLinks.length > 0;
  }

  /** Rewrites `Link` and `Location` in alternating names and values. */
  headers(flat: string[]): void {
    for (let i = 0; i < flat.length; i += 2) {
      const name = (flat[i] ?? '').toLowerCase();
      const value = flat[i + 1] ?? '';
      if (name === 'location') flat[i + 1] = this.#reference(value);
      else if (name === 'link')
        flat[i + 1] = value.replace(/<([^<>]*)>/g, (_, url: string) => `<${this.#reference(url)}>`);
    }
  }

  /** Rewrites the absolute URLs at the app's paths in a JSON text; unchanged if it is not valid JSON. */
  json(text: string): string {
    return rewriteStrings(text, this.#jsonLinks, (url) => this.#absolute(url) ?? url);
  }

  #reference(reference: string): string {
    if (reference.startsWith('//')) return this.#absolute(`https:${reference}`) ?? reference;
    if (reference.startsWith('/')) return this.#below(this.#own, reference) ?? reference;
    return this.#absolute(reference) ?? reference;
  }

  /** The URL at the gateway; undefined for other hosts, and for paths that the gateway can't call. */
  #absolute(url: string): string | undefined {
    const [, origin = '', rest = ''] = /^(https?:\/\/[^/?#\\@\s]+)([/?#][^\s]*)?$/i.exec(url) ?? [];
    if (!URL.canParse(origin)) return undefined;
    // By http, too: a client would follow that link with the key in clear.
    const { host } = new URL(origin);
    for (const each of this.#origins) {
      const found = each.host === host ? this.#below(each, rest) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #below({ base_path, gatewayUrl }: Origin, path: string): string | undefined {
    if (!path.startsWith(base_path)) return undefined;
    const rest = path.slice(base_path.length);
    if (base_path !== '' && !/^(?:$|[/?#])/.test(rest)) return undefined;
    return gatewayUrl + this.#withoutCredentials(rest);
  }

  #withoutCredentials(rest: string): string {
    const [, path = '', query, fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(rest) ?? [];
    if (query === undefined || this.#credentials.size === 0) return rest;
    const kept = query.split('&').filter((part) => !this.#credentials.has(nameOf(part)));
    return `${path}${kept.length > 0 ? `?${kept.join('&')}` : ''}${fragment}`;
  }
}

function nameOf(part: string): string {
  return [...new URLSearchParams(part).keys()][0] ?? '';
}
