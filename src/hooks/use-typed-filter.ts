import { useContext, useState } from 'react';
import { UNSAFE_DataRouterContext as DataRouterContext, useLocation, useNavigation } from 'react-router';
import { useTimeout } from './use-timeout.ts';

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
  // another page is loading: a change of this one's address would cancel that
  const { pathname } = useLocation();
  const { location: next } = useNavigation();
  const leaving = next !== undefined && next.pathname !== pathname;
  const router = useContext(DataRouterContext)?.router;
  const say = () => {
    // the router knows at once what `useNavigation` says after a render
    const now = router?.state.navigation.location;
    if (now !== undefined && now.pathname !== pathname) return;
    setKnown(text);
    onTyped(text);
  };
  const restMs = text === '' ? 0 : REST_MS;
  useTimeout(say, text === known || leaving ? undefined : restMs, text);
  return [text, setText];
}
