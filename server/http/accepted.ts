/**
 * Whether an Accept or Accept-Encoding header accepts `name` (RFC 9110, 12.4.2); `q=0` rejects it. If the header does
 * not list the name and `isByStar` is set, `*` applies.
 */
export function accepts(accepted: string | undefined, name: string, isByStar = false): boolean {
  const ways = new Map(
    (accepted ?? '').split(',').map((each) => {
      const [way = '', ...more] = each
        .toLowerCase()
        .split(';')
        .map((part) => part.trim());
      return [way, !more.some((part) => /^q=0(?:\.0*)?$/.test(part))];
    }),
  );
  return ways.get(name) ?? (isByStar && ways.get('*') === true);
}
