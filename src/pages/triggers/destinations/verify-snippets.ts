/** Programs that verify the signature of one delivery, with its bytes: they succeed unchanged. */
import { shellQuoted } from '../../../api/curl.ts';

export interface SignedDelivery {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: string;
}

export const VERIFY_LANGUAGES = ['node', 'python', 'go', 'shell'] as const;
export type VerifyLanguage = (typeof VERIFY_LANGUAGES)[number];

const WRITERS: Record<VerifyLanguage, (delivery: SignedDelivery) => string> = { node, python, go, shell };

export function verifySnippet(language: VerifyLanguage, delivery: SignedDelivery): string {
  return WRITERS[language](delivery);
}

/**
 * A JSON string literal, valid in all these languages. Non-ASCII characters stay unescaped, except those that Go
 * rejects.
 */
const text = (value: string): string => JSON.stringify(value.toWellFormed()).replaceAll('\ufeff', '\\ufeff');

function node({ id, timestamp, signature, body }: SignedDelivery): string {
  return `import { createHmac, timingSafeEqual } from 'node:crypto';

const id = ${text(id)}; // webhook-id
const timestamp = ${text(timestamp)}; // webhook-timestamp
const signatures = ${text(signature)}; // webhook-signature
const body = ${text(body)}; // the raw body, not parsed

const key = Buffer.from(process.env.WEBHOOK_SECRET.replace(/^whsec_/, ''), 'base64');
const expected = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\${body}\`).digest();
const valid = signatures.split(' ').some((each) => {
  const [version, value = ''] = each.split(',');
  const given = Buffer.from(value, 'base64');
  return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
});
// In a receiver, also refuse what is more than five minutes old:
// Math.abs(Date.now() / 1000 - Number(timestamp)) > 300
console.log(valid ? 'valid' : 'not valid');
`;
}

function python({ id, timestamp, signature, body }: SignedDelivery): string {
  return `import base64, hashlib, hmac, os

webhook_id = ${text(id)}
timestamp = ${text(timestamp)}
signatures = ${text(signature)}
body = ${text(body)}.encode()  # the raw body, not parsed

key = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
signed = f"{webhook_id}.{timestamp}.".encode() + body
expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
valid = any(hmac.compare_digest(each, "v1," + expected) for each in signatures.split(" "))
# In a receiver, also refuse what is more than five minutes old.
print("valid" if valid else "not valid")
`;
}

function go({ id, timestamp, signature, body }: SignedDelivery): string {
  return `package main

import (
\t"crypto/hmac"
\t"crypto/sha256"
\t"encoding/base64"
\t"fmt"
\t"os"
\t"strings"
)

func main() {
\tid := ${text(id)}
\ttimestamp := ${text(timestamp)}
\tsignatures := ${text(signature)}
\tbody := ${text(body)} // the raw body, not parsed

\tkey, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("WEBHOOK_SECRET"), "whsec_"))
\tif err != nil {
\t\tpanic(err)
\t}
\tmac := hmac.New(sha256.New, key)
\tmac.Write([]byte(id + "." + timestamp + "." + body))
\texpected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
\tvalid := false
\tfor _, each := range strings.Fields(signatures) {
\t\tvalid = valid || hmac.Equal([]byte(each), []byte(expected))
\t}
\t// In a receiver, also refuse what is more than five minutes old.
\tfmt.Println(map[bool]string{true: "valid", false: "not valid"}[valid])
}
`;
}

function shell({ id, timestamp, signature, body }: SignedDelivery): string {
  return `id=${shellQuoted(id)}
timestamp=${shellQuoted(timestamp)}
signatures=${shellQuoted(signature)}
body=${shellQuoted(body)}

key=$(printf %s "\${WEBHOOK_SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')
expected=v1,$(printf %s "$id.$timestamp.$body" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)
case " $signatures " in *" $expected "*) echo valid ;; *) echo 'not valid' ;; esac
`;
}
