/** The two globals that every platform has; the contract takes nothing else from one. */
declare global {
  const URL: {
    new (text: string): { username: string; password: string; hash: string };
    canParse(text: string): boolean;
  };
  const TextEncoder: { new (): { encode(text: string): { byteLength: number } } };
}

export {};
