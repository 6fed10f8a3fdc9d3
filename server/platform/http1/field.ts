/** Characters of a field line `Name: value` (RFC 9110, section 5), in requests and responses. */
const NO_TOKEN = /[^!#$%&'*+.^_`|~0-9A-Za-z-]/;
const NO_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

export const isToken = (text: string): boolean => text !== '' && !NO_TOKEN.test(text);
export const isValue = (text: string): boolean => !NO_VALUE.test(text);
