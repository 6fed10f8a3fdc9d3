import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useSyncExternalStore } from 'react';
import { sessionQuery } from '../api/session.ts';
import { noticeEnd, sessionEnd } from '../api/session-end.ts';
import { lazyPart } from '../lib/lazy-part.ts';
import ConfirmPassword from './ConfirmPassword.tsx';

const SignInAgain = lazyPart(() => import('./SignInAgain.tsx'));

/**
 * Shows the sign-in dialog over any page once the session has ended, and asks for the password where it is required.
 */
export default function SessionEnd() {
  const isOver = useQuery(sessionQuery).data?.session === null;
  useEffect(() => {
    if (isOver) noticeEnd();
  }, [isOver]);
  const ended = useSyncExternalStore(sessionEnd.subscribe, sessionEnd.get);
  return (
    <>
      <Suspense>{ended ? <SignInAgain /> : null}</Suspense>
      <ConfirmPassword />
    </>
  );
}
