/**
 * Compares the catalogue with an independent list of providers, and prints the differences:
 * `node scripts/compare-catalogue.ts FILE`. The list is YAML or JSON of `name: {proxy: {base_url}, authorization_url,
 * token_url}`. It is only read: nothing of it is stored here.
 */
import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { catalogue } from '../server/connections/apps/catalogue.ts';

type Provider = { proxy?: { base_url?: string }; authorization_url?: string; token_url?: string; alias?: string };

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('expected a file: node scripts/compare-catalogue.ts FILE');
const list = load(readFileSync(file, 'utf8'), { maxAliases: 1_000 }) as Record<string, Provider>;

/** A URL without placeholders, query and trailing slash. */
const plain = (url: string | undefined) =>
  url === undefined
    ? undefined
    : String(url)
        .replace(/\$?\{[^}]*\}/g, '*')
        .replace(/[?#].*$/, '')
        .replace(/\/+$/, '');
const bare = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');
const byName = new Map(Object.entries(list).map(([name, provider]) => [bare(name), provider]));

let compared = 0;
for (const [id, { definition, method }] of catalogue) {
  const found = byName.get(bare(id));
  if (!found) continue;
  const theirs = { ...(found.alias === undefined ? {} : list[found.alias]), ...found };
  compared++;
  const oauth = method('OAUTH2');
  const pairs: [what: string, ours: string | null | undefined, theirs: string | undefined][] = [
    ['base URL', definition.base_url, theirs.proxy?.base_url],
    ['authorization URL', oauth?.authorize_url || undefined, theirs.authorization_url],
    ['token URL', oauth?.token_url, theirs.token_url],
  ];
  for (const [what, one, other] of pairs) {
    if (!one || typeof other !== 'string') continue;
    // A base URL may include a part of the path.
    const [a, b] = [plain(one) ?? '', plain(other) ?? ''];
    const isSame = what === 'base URL' ? a.startsWith(b) || b.startsWith(a) : a === b;
    if (!isSame) console.log(`${id}: ${what} ${one}, there ${other}`);
  }
}
const known = new Set([...catalogue.keys()].map(bare));
const missing = Object.entries(list).filter(([name, { alias }]) => alias === undefined && !known.has(bare(name)));
console.log(
  `${catalogue.size} here, ${Object.keys(list).length} there, ${compared} compared, ${missing.length} only there`,
);
