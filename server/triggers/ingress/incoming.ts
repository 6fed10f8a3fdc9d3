export type Headers = Readonly<Record<string, string | string[] | undefined>>;

export type Incoming = { method: string; url: string; headers: Headers; body: Buffer };
