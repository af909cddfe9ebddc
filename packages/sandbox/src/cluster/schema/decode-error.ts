/** A value whose type does not fit its field; the message is upstream's. */
export class DecodeError extends Error {
  override readonly name = "DecodeError";
}
