/** The limits on a cloud's answer. */
export interface AnswerBounds {
  /** Size of the body, in bytes. */
  readonly maxBytes: number;
  /** Nesting depth of the JSON. */
  readonly maxDepth: number;
}

/** A listing of 60,000 instances fits; a larger answer cannot be meant for us. */
export const DEFAULT_ANSWER_BOUNDS: AnswerBounds = { maxBytes: 64 * 1024 * 1024, maxDepth: 64 };

/**
 * An answer that was not used because it exceeds a limit; the message says which. Recognised by name, as a plug-in may have its own copy.
 */
export class AnswerOutOfBounds extends Error {
  override readonly name = "AnswerOutOfBounds";
}

export function isAnswerOutOfBounds(error: unknown): error is Error {
  return error instanceof Error && error.name === "AnswerOutOfBounds";
}

/** The memory that all answers share which a client reads at the same time, since many calls may be in flight. */
export class AnswerMemory {
  readonly #maxBytes: number;
  #held = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Throws AnswerOutOfBounds when the bytes do not fit; even then they count until they are given back. */
  take(bytes: number): void {
    this.#held += bytes;
    if (this.#held > this.#maxBytes)
      throw new AnswerOutOfBounds(
        `the answers that arrived at the same time are larger than ${sizeText(this.#maxBytes)} together`,
      );
  }

  giveBack(bytes: number): void {
    this.#held -= bytes;
  }
}

export interface BodyBounds extends Pick<AnswerBounds, "maxBytes"> {
  /** Shared by all answers of a client. */
  readonly memory?: AnswerMemory;
}

/**
 * Returns the text of a body. Throws AnswerOutOfBounds as soon as more than `maxBytes` have arrived, or more than the memory allows, and
 * releases what has arrived; passes on the connection's errors.
 */
export async function readBounded(
  body: AsyncIterable<unknown>,
  { maxBytes, memory }: BodyBounds,
): Promise<{ readonly text: string; readonly bytes: number }> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    // Leaving the loop early destroys the stream and its connection.
    for await (const chunk of body) {
      const piece = chunk instanceof Uint8Array ? chunk : Buffer.from(String(chunk));
      bytes += piece.length;
      memory?.take(piece.length);
      if (bytes > maxBytes)
        throw new AnswerOutOfBounds(`the answer is larger than ${sizeText(maxBytes)}`);
      chunks.push(piece);
    }
    return { text: Buffer.concat(chunks).toString("utf8"), bytes };
  } finally {
    memory?.giveBack(bytes);
  }
}

/**
 * Returns the value of JSON text. Throws AnswerOutOfBounds, before parsing, for text that is nested too deep, and SyntaxError for text that
 * is not JSON.
 */
export function parseBounded(text: string, { maxDepth }: Pick<AnswerBounds, "maxDepth">): unknown {
  if (isDeeperThan(text, maxDepth))
    throw new AnswerOutOfBounds(`the answer is nested deeper than ${maxDepth} levels`);
  return JSON.parse(text);
}

/** Does the same, but returns undefined for text that is not JSON, including an empty body: no schema accepts undefined. */
export function parseAnswer(text: string, bounds: Pick<AnswerBounds, "maxDepth">): unknown {
  try {
    return parseBounded(text, bounds);
  } catch (error) {
    if (isAnswerOutOfBounds(error)) throw error;
    return undefined;
  }
}

/** Returns a header of an answer by its lower-case name; the first one if it is repeated. */
export function headerOf(
  { headers }: { readonly headers: Readonly<Record<string, string | string[] | undefined>> },
  name: string,
): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

function isDeeperThan(json: string, most: number): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const unit = json.charCodeAt(at);
    if (unit === QUOTE) at = endOfString(json, at);
    else if (OPENING.has(unit)) depth += 1;
    else if (CLOSING.has(unit)) depth -= 1;
    if (depth > most) return true;
  }
  return false;
}

/** Returns the end of the string that begins at `start`. */
function endOfString(json: string, start: number): number {
  let at = json.indexOf('"', start + 1);
  while (at >= 0 && isEscaped(json, at)) at = json.indexOf('"', at + 1);
  return at < 0 ? json.length : at;
}

function isEscaped(json: string, at: number): boolean {
  let before = at - 1;
  while (json.charCodeAt(before) === BACKSLASH) before -= 1;
  return (at - before) % 2 === 0;
}

function sizeText(bytes: number): string {
  const mebibytes = bytes / 1_048_576;
  return mebibytes >= 1 ? `${Math.round(mebibytes)} MiB` : `${bytes} bytes`;
}
