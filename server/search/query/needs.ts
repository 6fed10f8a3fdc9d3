/** What a line must hold for a query to match it: a tree of texts, found in the query without running it. */

import { isCasedBeyondAscii } from '../index/trigrams.ts';
import type { Text } from '../kernels/byte-finder.ts';
import { type Node, readRegex } from './regex-tree.ts';

/** A text; all of several; one of several; or nothing that is known (null). */
export type Need = Text | { all: Need[] } | { any: Need[] } | null;
/** `exact`: every match of the part is one of these. Else a match holds `need`. */
type Known = { exact: Text[]; need?: undefined } | { exact?: undefined; need: Need };

const MOST_TEXTS = 16;
const LONGEST_TEXT = 200;
const MOST_PREFILTERS = 32;
const NOTHING: Known = { need: null };
const NO_TEXT: Known = { exact: [{ text: '', fold: false }] };

/** What a regular expression needs; `fold` when case isn't heeded. */
export function needOf(source: string, fold: boolean): Need {
  const tree = readRegex(source, fold);
  return tree ? asNeed(knownOf(tree)) : null;
}

function knownOf(node: Node): Known {
  if (node.kind === 'any') return NOTHING;
  if (node.kind === 'empty') return NO_TEXT;
  if (node.kind === 'chars') return ofChars(node.chars, node.fold);
  if (node.kind === 'cat') return inRow(node.parts.map(knownOf));
  if (node.kind === 'alt') return either(node.parts.map(knownOf));
  return repeated(knownOf(node.part), node.min, node.max);
}

function ofChars(chars: string[], fold: boolean): Known {
  if (fold && chars.some(isCasedBeyondAscii)) return NOTHING;
  return { exact: chars.map((text) => ({ text, fold })) };
}

function inRow(parts: Known[]): Known {
  const needs: Need[] = [];
  let exact: Text[] = [{ text: '', fold: false }];
  let wasCut = false;
  const cut = () => {
    needs.push(asNeed({ exact }));
    exact = [{ text: '', fold: false }];
    wasCut = true;
  };
  for (const part of parts) {
    const longer = part.exact && product(exact, part.exact);
    if (longer) exact = longer;
    else {
      cut();
      if (part.exact) exact = part.exact;
      else needs.push(part.need);
    }
  }
  if (!wasCut) return { exact };
  cut();
  const known = needs.filter((need) => need !== null);
  return { need: known.length > 1 ? { all: known } : (known[0] ?? null) };
}

function product(left: Text[], right: Text[]): Text[] | undefined {
  if (left.length * right.length > MOST_TEXTS) return undefined;
  const made = left.flatMap((a) => right.map((b) => ({ text: a.text + b.text, fold: a.fold || b.fold })));
  return made.some(({ text }) => text.length > LONGEST_TEXT) ? undefined : made;
}

function either(parts: Known[]): Known {
  const exact = parts.flatMap((part) => part.exact ?? []);
  if (parts.every((part) => part.exact) && exact.length <= MOST_TEXTS) return { exact };
  const needs = parts.map(asNeed);
  const known = needs.filter((need) => need !== null);
  return known.length < needs.length ? NOTHING : { need: { any: known } };
}

function repeated(part: Known, min: number, max: number): Known {
  if (min === 0) return max === 1 && part.exact ? either([NO_TEXT, part]) : max === 0 ? NO_TEXT : NOTHING;
  if (min === 1 && max === 1) return part;
  const [only, more] = part.exact ?? [];
  if (!only || more) return { need: asNeed(part) };
  const text = only.text.repeat(Math.max(1, Math.min(min, Math.floor(LONGEST_TEXT / (only.text.length || 1)))));
  const again = { text, fold: only.fold };
  return min === max && text.length === only.text.length * min
    ? { exact: [again] }
    : { need: asNeed({ exact: [again] }) };
}

function asNeed({ exact, need = null }: Known): Need {
  if (!exact) return need;
  if (exact.some(({ text }) => text === '')) return null;
  return exact.length > 1 ? { any: exact } : (exact[0] ?? null);
}

/** Texts of which every matching line has at least one: the set whose shortest text is longest. Empty: none is known. */
export function prefilterOf(need: Need): Text[] {
  if (need === null) return [];
  if ('text' in need) return [need];
  if ('any' in need) {
    const sets = need.any.map(prefilterOf);
    return sets.some((set) => set.length === 0) || sets.flat().length > MOST_PREFILTERS ? [] : sets.flat();
  }
  const shortest = (set: Text[]) => (set.length === 0 ? 0 : Math.min(...set.map(({ text }) => text.length)));
  return need.all.map(prefilterOf).reduce((best, set) => (shortest(set) > shortest(best) ? set : best), []);
}
