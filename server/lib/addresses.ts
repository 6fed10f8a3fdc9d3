/** The service's URLs, one setting each: by default one port serves all, and separate hosts need no code. */
export type Addresses = {
  console_url: string;
  base_url: string;
  connect_url: string;
  /** Base URL of webhook endpoints. */
  hooks_url: string;
  functions_domain: string;
  /** http or https, for function URLs. */
  functions_scheme: string;
  /** Apps are served at `<app>.<domain>`, with a port if it is not the default port. */
  gateway_domain: string;
};

/** The public URL of the function with this label. */
export function functionUrl(addresses: Addresses, label: string): string {
  return `${addresses.functions_scheme}://${label}.${addresses.functions_domain}`;
}

/** The page of an event in the console. */
export const eventPage = ({ console_url }: Addresses, trigger_id: string, event_id: string): string =>
  `${console_url}/events/${trigger_id}/${event_id}`;

/** The page of a connection in the console. */
export const connectionPage = ({ console_url }: Addresses, connection_id: string): string =>
  `${console_url}/connections/${connection_id}`;

/** The label if `host` (with port) is a function's host, else undefined. */
export function labelOf(addresses: Addresses, host: string): string | undefined {
  const label = underFunctions(addresses, host);
  return label && /^[a-z0-9-]+$/.test(label) ? label : undefined;
}

/** The label if this URL is the URL of a function of this service. */
export const labelOfUrl = (addresses: Addresses, url: string): string | undefined =>
  labelOf(addresses, new URL(url).host);

/** The app or the connection that a host of the gateway's domain names, and the app's further host. */
export type GatewayHost = { app: string | null; connection_id?: string; host?: string };

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** `<app>.<domain>` or `<connection_id>.<domain>`, at any port, with `<host>.` before it; undefined for other hosts. */
export function gatewayHostOf({ gateway_domain }: Addresses, host: string): GatewayHost | undefined {
  const under = nameBefore(host.replace(/:\d*$/, ''), gateway_domain.replace(/:\d*$/, ''));
  const [, further, label] = /^(?:([a-z0-9-]+)\.)?([a-z0-9-]+)$/.exec(under ?? '') ?? [];
  if (label === undefined) return undefined;
  const named = further === undefined ? {} : { host: further };
  return UUID.test(label) ? { app: null, connection_id: label, ...named } : { app: label, ...named };
}

/** The part before the functions' domain in `host` (with port), valid label or not; undefined for other hosts. */
const underFunctions = (addresses: Addresses, host: string): string | undefined =>
  nameBefore(host, addresses.functions_domain);

function nameBefore(host: string, domain: string): string | undefined {
  // A trailing dot does not change the name.
  const name = host.toLowerCase().replace(/\.(?=:\d+$|$)/, '');
  const suffix = `.${domain.toLowerCase()}`;
  return name.endsWith(suffix) ? name.slice(0, -suffix.length) : undefined;
}
