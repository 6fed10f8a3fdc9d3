/** The service's URLs: one setting each, so that one port serves all by default and separate hosts need no code. */
export type Addresses = {
  console_url: string;
  base_url: string;
  connect_url: string;
  /** Where sources post to. */
  hooks_url: string;
  functions_domain: string;
  /** http or https, for function addresses. */
  functions_scheme: string;
};

/** The public address of the function with this label. */
export function functionUrl(addresses: Addresses, label: string): string {
  return `${addresses.functions_scheme}://${label}.${addresses.functions_domain}`;
}

/** The label when `host` (with port) is a function's address, else undefined. */
export function labelOf(addresses: Addresses, host: string): string | undefined {
  const label = underFunctions(addresses, host);
  return label && /^[a-z0-9-]+$/.test(label) ? label : undefined;
}

/** The label when this URL is the address of a function of this service. */
export const labelOfUrl = (addresses: Addresses, url: string): string | undefined =>
  labelOf(addresses, new URL(url).host);

/** The part before the functions' domain in `host` (with port), label or not; undefined for a host elsewhere. */
function underFunctions(addresses: Addresses, host: string): string | undefined {
  // A name may end in a dot: that is the same name.
  const name = host.toLowerCase().replace(/\.(?=:\d+$|$)/, '');
  const suffix = `.${addresses.functions_domain.toLowerCase()}`;
  return name.endsWith(suffix) ? name.slice(0, -suffix.length) : undefined;
}
