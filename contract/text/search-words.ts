/** Words of names and descriptions, normalized for comparison: without case, accents and variants of a letter. */

/** Marks on letters of Latin, Greek and Cyrillic; in other scripts they make separate letters. */
const ACCENTS = /[\u0300-\u036f]/g;
/** Scripts without spaces between words: each part of a run of letters also counts as a word. */
export const SPACELESS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const IS_ASCII = /^[\0-\x7f]*$/;

/** Makes `Straße`, `STRASSE` and `strasse` equal, also `Café` and `cafe`, and `ＡＢＣ` and `abc`. */
export function foldWord(word: string): string {
  if (IS_ASCII.test(word)) return word.toLowerCase();
  const letters = word.normalize('NFKD').toLowerCase().replace(ACCENTS, '');
  return letters.replaceAll('ß', 'ss').replaceAll('ς', 'σ').normalize('NFC');
}

/** The normalized words of a text, without duplicates. */
export const wordsOf = (text: string): string[] => [...new Set(wordsInRow(text))];

/** The normalized words of a text in order, with duplicates. */
export function wordsInRow(text: string): string[] {
  const words = IS_ASCII.test(text)
    ? text.toLowerCase().match(/[a-z\d]+/g)
    : text
        .normalize('NFC')
        .match(/[\p{L}\p{M}\p{N}]+/gu)
        ?.map(foldWord);
  return words ?? [];
}
