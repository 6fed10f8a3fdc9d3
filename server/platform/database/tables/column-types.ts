export type Timestamp = string;

/** JSON stored as text, so that key order and every byte are preserved. */
export type JsonText = string;

/** A value sealed by the vault. */
export type Sealed = string;
