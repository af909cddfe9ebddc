import { crc32 } from "node:zlib";

/**
 * Encodes a record as one line: the CRC-32 of the JSON as eight hex digits, a space, the JSON. JSON text contains no line break, so a line
 * is whole or torn, and the checksum shows which.
 */
export function encodeFrame(value: unknown): Uint8Array {
  const json = JSON.stringify(value);
  // Written directly into the buffer: building a string first would copy everything once more.
  const line = Buffer.allocUnsafe(JSON_AT + Buffer.byteLength(json) + 1);
  const end = JSON_AT + line.write(json, JSON_AT);
  line.write(`${checksum(line.subarray(JSON_AT, end))} `, "latin1");
  line[end] = LINE_BREAK;
  return line;
}

const CHECKSUM_LENGTH = 8;
const JSON_AT = CHECKSUM_LENGTH + 1;
const LINE_BREAK = 10;

export function bytesOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

/** Concatenates byte arrays. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(bytesOf(parts));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

/** Returns the value of a line without its line break, or undefined when the line is torn or damaged. */
export function decodeFrame(line: string): unknown {
  const json = line.slice(JSON_AT);
  if (line.charAt(CHECKSUM_LENGTH) !== " " || checksum(json) !== line.slice(0, CHECKSUM_LENGTH))
    return undefined;
  return JSON.parse(json);
}

function checksum(json: string | Uint8Array): string {
  return crc32(json).toString(16).padStart(CHECKSUM_LENGTH, "0");
}
