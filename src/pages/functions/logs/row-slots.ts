/**
 * Which element shows which line while the list follows. A line that stays keeps its element, so that what is selected
 * or has the focus stays with it. Where no line stays, each element keeps its place in the document: moving elements
 * costs the browser more than writing other lines into them.
 */
export function rowSlots(): (first: number, count: number) => (index: number) => number {
  let base = 0;
  let before = { first: 0, count: 0 };
  return (first, count) => {
    const turned = before.count > 0 ? modulo(before.first - base, before.count) : 0;
    if (first >= before.first + before.count) base = first - turned;
    before = { first, count };
    return (index) => modulo(index - base, count);
  };
}

const modulo = (value: number, by: number) => ((value % by) + by) % by;
