import { open } from "node:fs/promises";
import type { SeenWrite } from "./cluster-under-test.ts";

export interface AuditEntry extends SeenWrite {
  readonly user: string;
  /** Whether the authoriser refused it: admission may refuse with 403 as well. */
  readonly isForbidden: boolean;
}

interface AuditEvent {
  auditID: string;
  requestURI: string;
  verb: string;
  user: { username: string };
  requestReceivedTimestamp: string;
  responseStatus?: { code?: number };
  requestObject?: unknown;
  annotations?: Record<string, string>;
}

/** The file that a kube-apiserver writes its audit log into, read on from where it was read to. */
export class AuditLog {
  readonly #path: string;
  /** A request has one entry, but a watch has one more when it ends. */
  readonly #entries = new Map<string, AuditEntry>();
  #position = 0;
  #reading: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  /** All entries so far, in the order in which they were first seen. */
  async read(): Promise<readonly AuditEntry[]> {
    this.#reading = this.#reading.then(() => this.#readOn());
    await this.#reading;
    return [...this.#entries.values()];
  }

  async #readOn(): Promise<void> {
    const file = await open(this.#path).catch(() => undefined);
    if (file === undefined) return;
    try {
      const { size } = await file.stat();
      // It was begun anew.
      if (size < this.#position) this.#position = 0;
      const { buffer } = await file.read(Buffer.alloc(size - this.#position), {
        position: this.#position,
      });
      // The last line may not be whole yet.
      const end = buffer.lastIndexOf("\n") + 1;
      this.#position += end;
      this.#take(buffer.subarray(0, end).toString("utf8"));
    } finally {
      await file.close();
    }
  }

  #take(text: string): void {
    for (const line of text.split("\n").filter((each) => each.endsWith("}"))) {
      const event = JSON.parse(line) as AuditEvent;
      this.#entries.set(event.auditID, entryOf(event));
    }
  }
}

function entryOf(event: AuditEvent): AuditEntry {
  return {
    at: Date.parse(event.requestReceivedTimestamp),
    verb: event.verb,
    path: event.requestURI,
    code: event.responseStatus?.code ?? 0,
    user: event.user.username,
    body: event.requestObject,
    isForbidden: event.annotations?.["authorization.k8s.io/decision"] === "forbid",
  };
}
