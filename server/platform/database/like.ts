/** A text as a part of a pattern of `like`, in which `%`, `_` and `\` are themselves. */
export const likeText = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** The pattern of `like` that matches everything that contains a text. */
export const containing = (text: string): string => `%${likeText(text)}%`;
