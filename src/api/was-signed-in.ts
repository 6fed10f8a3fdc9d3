/** Whether a user signed in with this browser and did not sign out: then the session expired or was ended elsewhere. */
const KEY = 'sluice.signed-in';

export function rememberSignedIn(): void {
  try {
    localStorage.setItem(KEY, 'yes');
  } catch {
    // storage may be forbidden; then the sign-in page says no more than what to do
  }
}

export function forgetSignedIn(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // nothing was kept either
  }
}

export function wasSignedIn(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}
