import { useEffect, useEffectEvent, useState } from 'react';

/** Someone who rests this long has typed what they meant. */
const REST_MS = 250;

/** The text of a search field whose value lives in the address: follows it, and goes there when the typing rests. */
export function useTypedFilter(
  value: string,
  onTyped: (text: string) => void,
): readonly [string, (text: string) => void] {
  const [text, setText] = useState(value);
  // what the address says, or will say in a moment
  const [known, setKnown] = useState(value);
  const [seen, setSeen] = useState(value);
  if (seen !== value) {
    setSeen(value);
    // it was changed by someone else; what is typed meanwhile stays when it only follows
    if (known !== value) {
      setKnown(value);
      setText(value);
    }
  }
  const say = useEffectEvent(() => {
    setKnown(text);
    onTyped(text);
  });
  useEffect(() => {
    if (text === known) return;
    const timer = setTimeout(say, text === '' ? 0 : REST_MS);
    return () => clearTimeout(timer);
  }, [text, known]);
  return [text, setText];
}
