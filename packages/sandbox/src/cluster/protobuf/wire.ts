import { badRequest } from "../http/api-error.ts";

/** One field on the wire: its number, and its bytes or its numeric value. */
export interface WireField {
  readonly number: number;
  readonly value: bigint | Uint8Array;
}

const VARINT = 0n;
const FIXED_64 = 1n;
const LENGTH_DELIMITED = 2n;
const FIXED_32 = 5n;

/** Yields the fields of a message, in order. Throws ApiError 400 for invalid bytes. */
export function* wireFields(message: Uint8Array): Generator<WireField> {
  let at = 0;
  while (at < message.length) {
    const tag = readVarint(message, at);
    const field = readValue(message, tag.next, tag.value & 7n);
    at = field.next;
    yield { number: Number(tag.value >> 3n), value: field.value };
  }
}

interface Read<Value> {
  readonly value: Value;
  readonly next: number;
}

function readValue(message: Uint8Array, at: number, type: bigint): Read<bigint | Uint8Array> {
  switch (type) {
    case VARINT:
      return readVarint(message, at);
    case FIXED_64:
      return slice(message, at, 8);
    case FIXED_32:
      return slice(message, at, 4);
    case LENGTH_DELIMITED: {
      const length = readVarint(message, at);
      return slice(message, length.next, Number(length.value));
    }
    default:
      throw malformed();
  }
}

function slice(message: Uint8Array, at: number, length: number): Read<Uint8Array> {
  const next = at + length;
  if (next > message.length) throw malformed();
  return { value: message.subarray(at, next), next };
}

const LONGEST_VARINT = 10;

function readVarint(message: Uint8Array, at: number): Read<bigint> {
  let value = 0n;
  for (let index = 0; index < LONGEST_VARINT; index += 1) {
    const byte = message[at + index];
    if (byte === undefined) break;
    value |= BigInt(byte & 0x7f) << BigInt(7 * index);
    if (byte < 0x80) return { value, next: at + index + 1 };
  }
  throw malformed();
}

function malformed() {
  return badRequest("the object provided is unrecognized: the protobuf message is malformed");
}
