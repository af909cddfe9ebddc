import { StringDecoder } from "node:string_decoder";

/** The maximum number of characters kept of a line; the rest is read and discarded. */
const LONGEST_LINE = 4_096;
const CUT = "…";

/** Splits a stream of bytes into lines of limited length. */
export class LineSplitter {
  readonly #decoder = new StringDecoder("utf8");
  readonly #onLine: (line: string) => void;
  #begun = "";
  #isCut: boolean = false;

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  write(bytes: Buffer): void {
    const parts = this.#decoder.write(bytes).split("\n");
    const last = parts.pop() ?? "";
    for (const part of parts) {
      this.#take(part);
      this.#end();
    }
    this.#take(last);
  }

  /** The last line may lack a newline. */
  end(): void {
    this.#take(this.#decoder.end());
    this.#end();
  }

  #take(part: string): void {
    const room = LONGEST_LINE - this.#begun.length;
    this.#isCut ||= part.length > room;
    if (room > 0) this.#begun += part.slice(0, room);
  }

  #end(): void {
    const line = this.#begun.trimEnd();
    if (line !== "") this.#onLine(this.#isCut ? `${line}${CUT}` : line);
    this.#begun = "";
    this.#isCut = false;
  }
}
