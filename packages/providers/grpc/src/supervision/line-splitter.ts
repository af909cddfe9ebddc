import { StringDecoder } from "node:string_decoder";

/** What of a line is kept; the rest of it is read and forgotten. */
const LONGEST_LINE = 4_096;
const CUT = "…";

/** Cuts a stream of bytes into its lines, of bounded length, however long they are. */
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

  /** The last line may have no end. */
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
