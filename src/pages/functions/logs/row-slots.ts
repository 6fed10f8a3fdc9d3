/**
 * Assigns lines to elements. A line that stays keeps its element, also when the live tail starts or stops, so that
 * selection and focus stay. While the tail is on, elements of removed lines show new ones; if no line stays, each
 * element keeps its position, as moving elements costs the browser more than replacing their text.
 */
export function rowSlots(): (lines: readonly string[], follows: boolean) => readonly number[] {
  let shown: ReadonlyMap<string, number> = new Map();
  let made = 0;
  return (lines, follows) => {
    const stay = new Set(lines);
    const free = follows ? [...shown].flatMap(([line, slot]) => (stay.has(line) ? [] : slot)) : [];
    const slots = lines.map((line) => shown.get(line) ?? free.shift() ?? made++);
    shown = new Map(lines.map((line, at) => [line, slots[at] ?? 0]));
    return slots;
  };
}
