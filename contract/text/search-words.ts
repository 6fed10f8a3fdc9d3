/** How words of names and descriptions are compared: without case, accents and variants of the same letter. */

/** Marks on letters of Latin, Greek and Cyrillic; in other scripts they make separate letters. */
const ACCENTS = /[\u0300-\u036f]/g;
/** Scripts that put no spaces between words: each part of a run of letters counts as a word, too. */
export const SPACELESS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const IS_ASCII = /^[\0-\x7f]*$/;

/** `Straße`, `STRASSE` and `strasse` are one, so are `Café` and `cafe`, and `ＡＢＣ` and `abc`. */
export function foldWord(word: string): string {
  if (IS_ASCII.test(word)) return word.toLowerCase();
  const letters = word.normalize('NFKD').toLowerCase().replace(ACCENTS, '');
  return letters.replaceAll('ß', 'ss').replaceAll('ς', 'σ').normalize('NFC');
}

/** The words of a text as they are compared, each once. */
export const wordsOf = (text: string): string[] => [...new Set(wordsInRow(text))];

/** The same, each as often as it occurs. */
export function wordsInRow(text: string): string[] {
  const words = IS_ASCII.test(text)
    ? text.toLowerCase().match(/[a-z\d]+/g)
    : text
        .normalize('NFC')
        .match(/[\p{L}\p{M}\p{N}]+/gu)
        ?.map(foldWord);
  return words ?? [];
}
