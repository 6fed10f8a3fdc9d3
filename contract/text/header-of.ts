/** The value of the first header with this name, given in lower case; undefined if there is none. */
export const headerOf = (
  headers: readonly (readonly [name: string, value: string])[],
  wanted: string,
): string | undefined => headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
