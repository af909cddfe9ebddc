const LINE_END = 0x0a;

/**
 * Cuts a stream of bytes into lines. Bytes are looked at once and copied once, however the network cut them: a line that
 * spans many chunks is put together only when its end came.
 */
export function createLineSplitter(onLine: (line: string) => void): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder();
  let pending: Uint8Array[] = [];

  function finishLine(tail: Uint8Array): void {
    const line = pending.length === 0 ? tail : joined([...pending, tail]);
    pending = [];
    if (line.length > 0) onLine(decoder.decode(line));
  }

  return (chunk) => {
    let start = 0;
    let end = chunk.indexOf(LINE_END);
    while (end !== -1) {
      finishLine(chunk.subarray(start, end));
      start = end + 1;
      end = chunk.indexOf(LINE_END, start);
    }
    if (start < chunk.length) pending.push(chunk.subarray(start));
  };
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
