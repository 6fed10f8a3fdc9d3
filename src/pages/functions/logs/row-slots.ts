/**
 * Which element shows which line. A line that stays keeps its element, also as the following of the list begins and
 * ends, so that what is selected or has the focus stays with it. While the list follows, elements of lines that went
 * show those that came; where no line stays, each keeps its place in the document: moving elements costs the browser
 * more than writing other lines into them.
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
