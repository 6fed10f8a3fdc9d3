/** A payload as it is typed: JSON, an object. */
import { parseExact } from '../api/exact-answer.ts';

export type TypedPayload = { readonly payload: Record<string, unknown> } | { readonly problem: string };

export function readPayload(text: string): TypedPayload {
  let value: unknown;
  try {
    value = parseExact(text);
  } catch (error) {
    return { problem: `This is not JSON${placeOf(error, text)}.` };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problem: 'Expected a JSON object: { … }.' };
  }
  return { payload: { ...value } };
}

/** Where the parser stopped, as far as it says. */
function placeOf(error: unknown, text: string): string {
  const said = error instanceof Error ? error.message : '';
  const line = /line (\d+)/.exec(said)?.[1];
  if (line !== undefined) return `: see line ${line}`;
  const at = /position (\d+)/.exec(said)?.[1];
  if (at !== undefined) return `: see line ${text.slice(0, Number(at)).split('\n').length}`;
  return /end of/i.test(said) ? ': it ends too early' : '';
}
