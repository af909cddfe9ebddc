import { crc32 } from "node:zlib";

/**
 * One record as one line: the CRC-32 of the JSON as eight hex digits, a blank, the JSON. JSON text holds no line break,
 * so a line is whole or torn, and the checksum shows which.
 */
export function encodeFrame(value: unknown): Uint8Array {
  const line = Buffer.from(`${NO_CHECKSUM} ${JSON.stringify(value)}\n`);
  line.write(checksum(line.subarray(JSON_AT, -1)), "latin1");
  return line;
}

const NO_CHECKSUM = "00000000";
const JSON_AT = NO_CHECKSUM.length + 1;

/** Runs of bytes as one. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

/** The value of a line without its line break, or undefined when the line is torn or damaged. */
export function decodeFrame(line: string): unknown {
  const json = line.slice(JSON_AT);
  if (
    line.charAt(NO_CHECKSUM.length) !== " " ||
    checksum(json) !== line.slice(0, NO_CHECKSUM.length)
  )
    return undefined;
  return JSON.parse(json);
}

function checksum(json: string | Uint8Array): string {
  return crc32(json).toString(16).padStart(8, "0");
}
