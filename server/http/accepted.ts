/**
 * Whether something is among what a header accepts (RFC 9110, 12.4.2): `q=0` refuses it. Where it isn't named, `*`
 * counts as its name if `isByStar` is set.
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
