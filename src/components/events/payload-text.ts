/** Parses a payload typed as a JSON object. */
import { isJsonObject, parseExactly } from '../../../contract/text/exact-json.ts';

export type TypedPayload = { readonly payload: Record<string, unknown> } | { readonly problem: string };

export function readPayload(text: string): TypedPayload {
  let value: unknown;
  try {
    value = parseExactly(text);
  } catch (error) {
    return { problem: `Invalid JSON${placeOf(error, text)}.` };
  }
  return isJsonObject(value) ? { payload: value } : { problem: 'Enter a JSON object: { … }.' };
}

/** The position of the syntax error, if the parser reports it. */
function placeOf(error: unknown, text: string): string {
  const said = error instanceof Error ? error.message : '';
  const line = /line (\d+)/.exec(said)?.[1];
  if (line !== undefined) return `: see line ${line}`;
  const at = /position (\d+)/.exec(said)?.[1];
  if (at !== undefined) return `: see line ${text.slice(0, Number(at)).split('\n').length}`;
  return /end of/i.test(said) ? ': unexpected end' : '';
}
