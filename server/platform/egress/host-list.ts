/** Lists of hosts: `api.example.com`, `*.example.com` for its subdomains, each optionally with a port. */

type Pattern = { isWildcard: boolean; name: string; port: number | null };

function parse(text: string): Pattern {
  const [, star, name = '', port] = /^(\*\.)?(.*?)(?::(\d+))?$/.exec(text.toLowerCase()) ?? [];
  return { isWildcard: star !== undefined, name, port: port === undefined ? null : Number(port) };
}

/** Whether a host, with its port, is in the list. */
export function isListed(list: readonly string[], host: string, port: number): boolean {
  return list.some((text) => {
    const pattern = parse(text);
    return (pattern.port === null || pattern.port === port) && includesName(pattern, host.toLowerCase());
  });
}

/** The hosts that are in both lists. */
export function inBoth(one: readonly string[], other: readonly string[]): string[] {
  const found = one.flatMap((a) => other.flatMap((b) => common(a, b)));
  return [...new Set(found)];
}

function common(a: string, b: string): string[] {
  const [first, second] = [parse(a), parse(b)];
  if (first.port !== null && second.port !== null && first.port !== second.port) return [];
  const narrow = includes(first, second) ? second : includes(second, first) ? first : undefined;
  if (!narrow) return [];
  const port = first.port ?? second.port;
  return [`${narrow.isWildcard ? '*.' : ''}${narrow.name}${port === null ? '' : `:${port}`}`];
}

function includes(wide: Pattern, { isWildcard, name }: Pattern): boolean {
  if (!isWildcard) return includesName(wide, name);
  return wide.isWildcard && (wide.name === name || includesName(wide, name));
}

const includesName = ({ isWildcard, name }: Pattern, host: string) =>
  isWildcard ? host.endsWith(`.${name}`) : host === name;
