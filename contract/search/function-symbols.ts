/** Definitions in the code of a version, and where a name is used: for the outline and for navigation. */
import { z } from 'zod';
import { VersionParameter } from '../fields.ts';
import { SYMBOL_KINDS } from '../states.ts';

export const SymbolsQuery = z.object({
  version: VersionParameter.optional(),
  /** Also where this name is defined and used. */
  name: z.string().min(1).max(200).optional(),
});

/** Lines count from 1 and are inclusive. */
const CodeSymbol = z.object({
  name: z.string(),
  kind: z.enum(SYMBOL_KINDS),
  path: z.string(),
  line: z.number().int(),
  end_line: z.number().int(),
  /** The class, function or namespace that contains it. */
  container: z.string().nullable(),
  exported: z.boolean(),
});

export const CodeSymbols = z.object({
  version: z.number().int(),
  /** By file and line. */
  symbols: z.array(CodeSymbol),
  /** Some code has more definitions than are stored, or could not be read. */
  truncated: z.boolean(),
  /** Of the `name` in the query. */
  named: z
    .object({
      name: z.string(),
      /** The lines that have the name as an identifier, definitions included; at most 1,000. */
      references: z.array(z.object({ path: z.string(), line: z.number().int() })),
      /** The versions that define it and that the caller may read, in ascending order. */
      defined_in: z.array(z.object({ first_version: z.number().int(), last_version: z.number().int() })),
    })
    .nullable(),
});
