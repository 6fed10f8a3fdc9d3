export type Place = { path: string; line: number };

export type Named = { name: string; places: Place[] };

/** ENV: a variable's name; ADDRESS: a called URL; CODE: code that isn't in its files; FILE: a file that wasn't read. */
export type Unknown = Place & { about: 'ENV' | 'ADDRESS' | 'CODE' | 'FILE'; text: string };

export type Reach = { env: Named[]; hosts: Named[]; apps: Named[]; packages: Named[]; unknown: Unknown[] };
