/** Filters, tabs and search text in the URL. Default values are omitted. */
export type Defaults = Readonly<Record<string, string>>;
export type State<D extends Defaults> = { readonly [K in keyof D]: string };
export type Patch<D extends Defaults> = { readonly [K in keyof D]?: string | undefined };

/** The state in the URL, with defaults for omitted parameters. */
export function readState<D extends Defaults>(params: URLSearchParams, defaults: D): State<D> {
  const entries = Object.entries(defaults).map(([name, value]) => [name, params.get(name) ?? value]);
  return Object.fromEntries(entries) as State<D>;
}

/** The URL parameters with these changes; other parameters are preserved. `undefined` resets to the default. */
export function writeState<D extends Defaults>(params: URLSearchParams, defaults: D, patch: Patch<D>): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(patch)) {
    if (value === undefined || value === defaults[name]) next.delete(name);
    else next.set(name, value);
  }
  return next;
}
