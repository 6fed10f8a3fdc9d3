/** Filters, tabs and queries in the URL: a default is left out, so that a plain URL stays plain. */
export type Defaults = Readonly<Record<string, string>>;
export type State<D extends Defaults> = { readonly [K in keyof D]: string };
export type Patch<D extends Defaults> = { readonly [K in keyof D]?: string | undefined };

/** What the address says, with the default for what it leaves out. */
export function readState<D extends Defaults>(params: URLSearchParams, defaults: D): State<D> {
  const entries = Object.entries(defaults).map(([name, value]) => [name, params.get(name) ?? value]);
  return Object.fromEntries(entries) as State<D>;
}

/** The address with these changed; what belongs to others stays. undefined is the default. */
export function writeState<D extends Defaults>(params: URLSearchParams, defaults: D, patch: Patch<D>): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(patch)) {
    if (value === undefined || value === defaults[name]) next.delete(name);
    else next.set(name, value);
  }
  return next;
}
