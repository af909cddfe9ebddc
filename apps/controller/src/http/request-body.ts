const MOST_BYTES = 1_024;

/** The text of a small body. Throws an Error for one of more than 1 KiB. */
export async function readBody(request: AsyncIterable<Buffer | string>): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    const buffer = Buffer.from(part);
    bytes += buffer.length;
    if (bytes > MOST_BYTES) throw new Error(`A request's body is longer than ${MOST_BYTES} bytes.`);
    parts.push(buffer);
  }
  return Buffer.concat(parts).toString("utf8");
}
