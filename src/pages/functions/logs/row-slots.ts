/**
 * Which element shows which line while the list follows. A line that stays keeps its element, so that what is selected
 * or has the focus stays with it. Where no line stays, each element keeps its place in the document: moving elements
 * costs the browser more than writing other lines into them.
 */
export function rowSlots(): (first: number, count: number) => (index: number) => number | undefined {
  let from = 0;
  let shown: readonly number[] = [];
  let made = 0;
  return (first, count) => {
    const free = shown.filter((_, at) => from + at < first || from + at >= first + count);
    shown = Array.from({ length: count }, (_, at) => shown[first + at - from] ?? free.shift() ?? made++);
    from = first;
    return (index) => shown[index - first];
  };
}
