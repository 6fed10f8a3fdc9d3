import type { Input, Reply } from '../../../contract/operations.ts';
import type { Ctx } from '../../platform/context.ts';
import { getReadable, getVersion } from '../hosted-function.ts';
import { symbolsOf, versionsWith } from '../store/code-facts.ts';
import { filesOf, tooMany } from '../versions/publish.ts';
import { readNow } from './code-reader.ts';

type Symbols = Reply<'functionSymbols'>;

/** The definitions in a version; with a name, also its references, and the versions that define it. */
export async function list(ctx: Ctx, { params, query }: Input<'functionSymbols'>): Promise<Symbols> {
  const fn = await getReadable(ctx, params.function_id);
  const version = await getVersion(ctx, fn, query.version);
  const files = () => filesOf(ctx, version);
  await readNow(ctx, version.code_sha256, files).catch((error: unknown) => Promise.reject(tooMany(error)));
  const { isWhole, symbols } = await symbolsOf(ctx.db, version.code_sha256);
  const { name } = query;
  return {
    version: version.version,
    symbols: symbols
      .map(({ places: [path, line, end_line, kind, container, exported], ...symbol }) => ({
        ...symbol,
        kind,
        path,
        line,
        end_line,
        container,
        exported,
      }))
      .sort((a, b) => (a.path === b.path ? a.line - b.line || a.end_line - b.end_line : a.path < b.path ? -1 : 1)),
    truncated: !isWhole,
    named: name === undefined ? null : await named(ctx, fn, files, name),
  };
}

async function named(
  ctx: Ctx,
  fn: { account_id: string; function_id: string },
  files: () => Promise<Record<string, string>>,
  name: string,
): Promise<NonNullable<Symbols['named']>> {
  const references = await ctx.builder
    .findReferences(ctx.account_id, await files(), name)
    .catch((error: unknown) => Promise.reject(tooMany(error)));
  const versions = await versionsWith(ctx.db, fn, name, fn.account_id !== ctx.account_id);
  return { name, references, defined_in: spansOf(versions) };
}

/** Ascending numbers as spans without gaps. */
function spansOf(versions: number[]): NonNullable<Symbols['named']>['defined_in'] {
  const spans: NonNullable<Symbols['named']>['defined_in'] = [];
  for (const version of versions) {
    const last = spans.at(-1);
    if (last && last.last_version === version - 1) last.last_version = version;
    else spans.push({ first_version: version, last_version: version });
  }
  return spans;
}
