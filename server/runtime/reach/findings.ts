export type Place = { path: string; line: number };

export type Named = { name: string; places: Place[] };

/**
 * ENV: a variable's name; ADDRESS: a called URL; CODE: code outside of the files; FILE: a file that could not be read.
 */
export type Unknown = Place & { about: 'ENV' | 'ADDRESS' | 'CODE' | 'FILE'; text: string };

export type Reach = { env: Named[]; hosts: Named[]; apps: Named[]; packages: Named[]; unknown: Unknown[] };
