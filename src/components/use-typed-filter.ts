import { useEffect, useEffectEvent, useState } from 'react';

/** Someone who rests this long has typed what they meant. */
const REST_MS = 250;

/** The text of a search field whose value lives in the address: follows it, and goes there when the typing rests. */
export function useTypedFilter(
  value: string,
  onTyped: (text: string) => void,
): readonly [string, (text: string) => void] {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    setText(value);
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
