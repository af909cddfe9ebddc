/** What of DER (X.690) a certificate is made of. */
export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** A tag that only its context explains; `constructed` where it holds elements. */
export function contextTag(number: number, constructed = false): number {
  return (constructed ? 0xa0 : 0x80) | number;
}

export function element(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(body.length)]), body]);
}

function lengthOf(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes = bytesOf(length, 0x100);
  return [0x80 | bytes.length, ...bytes];
}

export function sequence(...content: readonly Uint8Array[]): Buffer {
  return element(TAG.sequence, ...content);
}

export function text(tag: number, value: string): Buffer {
  return element(tag, Buffer.from(value, "utf8"));
}

export function bits(bytes: Uint8Array, unused = 0): Buffer {
  return element(TAG.bitString, Buffer.from([unused]), bytes);
}

export function yes(): Buffer {
  return element(TAG.boolean, Buffer.from([0xff]));
}

/** Of `1.2.840.10045.4.3.2` and the like. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  const bytes = [first * 40 + second, ...rest].flatMap((arc) =>
    bytesOf(arc, 0x80).map((byte, at, all) => (at < all.length - 1 ? byte | 0x80 : byte)),
  );
  return element(TAG.objectIdentifier, Buffer.from(bytes));
}

/** Certificates write years up to 2049 with two digits (RFC 5280, 4.1.2.5). */
export function time(at: Date): Buffer {
  const digits = `${at.toISOString().slice(0, 19).replaceAll(/\D/g, "")}Z`;
  return at.getUTCFullYear() < 2050
    ? text(TAG.utcTime, digits.slice(2))
    : text(TAG.generalizedTime, digits);
}

/** A number's digits to a base, the most significant first. */
function bytesOf(value: number, base: number): number[] {
  const rest = Math.floor(value / base);
  return [...(rest === 0 ? [] : bytesOf(rest, base)), value % base];
}

/** The elements that one holds, each with its tag and length. */
export function elementsOf(der: Buffer): Buffer[] {
  const found: Buffer[] = [];
  const end = der.length;
  for (let at = contentStart(der, 0); at < end; ) {
    const next = endOf(der, at);
    found.push(der.subarray(at, next));
    at = next;
  }
  return found;
}

function contentStart(der: Buffer, at: number): number {
  const length = der.readUInt8(at + 1);
  return at + 2 + (length < 0x80 ? 0 : length & 0x7f);
}

function endOf(der: Buffer, at: number): number {
  const start = contentStart(der, at);
  const length = start === at + 2 ? der.readUInt8(at + 1) : der.readUIntBE(at + 2, start - at - 2);
  return start + length;
}
