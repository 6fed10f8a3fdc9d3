/** Remembers that a user signed in with this browser and did not sign out, so a missing session means it ended. */
const KEY = 'sluice.signed-in';

/** Whether the user has signed out in this document, parts of which may still load. */
let isForgotten = false;

export function rememberSignedIn(): void {
  if (isForgotten) return;
  try {
    localStorage.setItem(KEY, 'yes');
  } catch {
    // storage may be disabled; the sign-in page then does not mention an expired session
  }
}

export function forgetSignedIn(): void {
  isForgotten = true;
  try {
    localStorage.removeItem(KEY);
  } catch {
    // storage may be disabled
  }
}

export function wasSignedIn(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}
