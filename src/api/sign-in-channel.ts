/** Messages between tabs: a tab waits while its user signs in through an identity provider in another one. */
const NAME = 'sluice-sign-in';

export type SignInMessage = 'signed-in' | 'confirmed';

export function announceSignIn(message: SignInMessage): void {
  const channel = new BroadcastChannel(NAME);
  channel.postMessage(message);
  channel.close();
}

/** Calls `onMessage` for each message of another tab; returns the function that stops. */
export function followSignIns(onMessage: (message: SignInMessage) => void): () => void {
  const channel = new BroadcastChannel(NAME);
  channel.onmessage = ({ data }: MessageEvent<SignInMessage>) => onMessage(data);
  return () => channel.close();
}
