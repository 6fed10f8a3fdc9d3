export type Timestamp = string;

/** JSON kept as text, so that key order and every byte stay as they came. */
export type JsonText = string;

/** A value sealed by the vault. */
export type Sealed = string;
