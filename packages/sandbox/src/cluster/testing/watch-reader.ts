import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { ApiClient, AskOptions } from "./api-client.ts";

export interface WatchEvent {
  readonly type: string;
  readonly object: object;
}

/** Reads a watch event by event. */
export class WatchReader {
  readonly #body: Readable;
  readonly #events: AsyncIterator<string>;
  #failure: unknown;

  constructor(body: Readable) {
    this.#body = body;
    body.on("error", (error) => {
      this.#failure = error;
    });
    this.#events = createInterface({ input: body })[Symbol.asyncIterator]();
  }

  /** Resolves when the server has answered, so that later changes are seen. */
  static async open(client: ApiClient, path: string, options?: AskOptions): Promise<WatchReader> {
    const { statusCode, body } = await client.open("GET", path, options);
    if (statusCode !== 200)
      throw new Error(`The watch was answered with ${statusCode}: ${await body.text()}`);
    return new WatchReader(body);
  }

  async next(): Promise<WatchEvent> {
    const { value, done } = await this.#events.next();
    if (done === true) throw new Error("The watch ended before its next event.");
    return JSON.parse(value) as WatchEvent;
  }

  /** Resolves with how the watch ends: properly, or with the connection. */
  ended(): Promise<"ended" | "broken"> {
    return new Promise((resolve) => {
      const override = () => resolve(this.#failure === undefined ? "ended" : "broken");
      if (this.#body.closed) override();
      else this.#body.once("close", override);
    });
  }

  close(): void {
    this.#body.destroy();
  }
}
