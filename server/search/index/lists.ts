/**
 * The lists of a segment while it is being made: for each gram, which codes have it. A gram is a trigram, or, where many
 * codes have that, the trigram and the character behind it: the parts of a rare word are common ones, and four characters
 * in a row are far more selective than three. Which trigrams are common is learnt from the first codes.
 *
 * What each code has is noted as it comes (gram-extraction.ts), and sorted at the end (ordering.ts).
 */
import { createGramExtraction, type GramExtraction, MOST_COMMON } from './gram-extraction.ts';
import { createOrdering, type Ordered, type Ordering } from './ordering.ts';
import { TRIGRAMS } from './trigrams.ts';

/** A trigram that more of the first codes than this have is common. */
const COMMON_SHARE = 0.25;
const FIRST = { codes: 1000, bytes: 8 * 1024 * 1024 };

export type Listed = Ordered & { common: Uint32Array };
export type Lists = {
  /** The grams of the next code: of its bytes from `start` on, the last of which is a newline. */
  add(packed: Uint8Array, start: number): void;
  finish(): Listed;
};

/** What the last lists of this thread were made with: to clear that memory costs less than to have the system give other. */
let spare: { noting: GramExtraction; ordering: Ordering } | undefined;

export function createLists(): Lists {
  const made = spare ?? { noting: createGramExtraction(), ordering: createOrdering() };
  const { noting, ordering } = made;
  spare = undefined;
  noting.reset();
  ordering.reset();
  let common: Uint32Array = new Uint32Array(0);
  let first: Uint8Array[] | undefined = [];
  let firstBytes = 0;

  /** The first codes go through twice: to learn from, and as all others. */
  function takeFirst(learnt: Uint32Array) {
    const held = first ?? [];
    first = undefined;
    common = learnt;
    noting.learn(common);
    for (const texts of held) ordering.add(noting.gramsOf(texts));
  }

  return {
    add(packed, start) {
      if (!first) return ordering.add(noting.gramsOf(packed.subarray(start)));
      first.push(new Uint8Array(packed.subarray(start)));
      firstBytes += packed.length - start;
      if (first.length >= FIRST.codes || firstBytes >= FIRST.bytes) takeFirst(commonOf(first, noting));
    },
    finish() {
      // Few codes are looked through soon enough without.
      if (first) takeFirst(common);
      const ordered = ordering.finish();
      spare = made;
      return { common, ...ordered };
    },
  };
}

/** The trigrams that many codes have, in order. */
function commonOf(codes: readonly Uint8Array[], noting: GramExtraction): Uint32Array {
  const counts = new Uint32Array(TRIGRAMS);
  for (const texts of codes) {
    const grams = noting.gramsOf(texts);
    for (let i = 0; i < grams.length; i++) (counts[grams[i] as number] as number) += 1;
  }
  const common = Uint32Array.from(counts.keys()).filter(
    (trigram) => (counts[trigram] as number) > codes.length * COMMON_SHARE,
  );
  common.sort((a, b) => (counts[b] as number) - (counts[a] as number));
  return common.subarray(0, MOST_COMMON).sort();
}
