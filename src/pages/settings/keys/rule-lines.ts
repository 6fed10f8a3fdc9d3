/**
 * Gateway limits of a key as text, one rule a line: `GET,POST github /user/repos`. `ANY` is every method, a missing path
 * every path, `via <connection ID>` names a connection.
 */
import { GATEWAY_METHODS, type GatewayMethod, type GatewayRule } from '../../../../contract/keys/key-limits.ts';

const LINE = /^(\S+)\s+([a-z0-9][\w-]*)(?:\s+via\s+([0-9a-f-]{36}))?(?:\s+(\/\S*))?$/i;
export const RULE_EXAMPLE = 'GET github /user/repos';

type Parsed = { rules: GatewayRule[]; error: null } | { rules: null; error: string };

/** The rules of a text. Lines that differ only by path make one rule. */
export function rulesIn(text: string): Parsed {
  const rules = new Map<string, GatewayRule>();
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const [, given = '', app = '', connection, path] = LINE.exec(line.trim()) ?? [];
    const methods = given.toUpperCase() === 'ANY' ? null : given.toUpperCase().split(',');
    const strange = methods?.find((method) => !GATEWAY_METHODS.includes(method as GatewayMethod));
    if (app === '' || strange !== undefined)
      return { rules: null, error: `Line ${index + 1}: expected methods or ANY, an app, and a path: ${RULE_EXAMPLE}` };
    const key = `${methods} ${app} ${connection} ${path === undefined}`;
    const rule = rules.get(key);
    if (rule && path !== undefined) rule.paths?.push(path);
    else
      rules.set(key, {
        app,
        connection_ids: connection === undefined ? null : [connection.toLowerCase()],
        methods: methods as GatewayMethod[] | null,
        paths: path === undefined ? null : [path],
      });
  }
  return { rules: [...rules.values()], error: null };
}

/** The text of rules. */
export function linesOf(rules: readonly GatewayRule[] | null): string {
  return (rules ?? [])
    .flatMap(({ app, connection_ids, methods, paths }) =>
      (connection_ids ?? [null]).flatMap((connection) =>
        (paths ?? [null]).map((path) =>
          [methods?.join() ?? 'ANY', app, connection === null ? '' : `via ${connection}`, path ?? '']
            .filter((part) => part !== '')
            .join(' '),
        ),
      ),
    )
    .join('\n');
}
