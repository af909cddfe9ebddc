import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { ApiObject } from "../resources/metadata.ts";
import { type Revision, revisionOf, type StoreChange } from "./revision.ts";

/** The receiver of a journal's contents as it is read. */
export interface Replay {
  readonly snapshot: (storage: string, revision: Revision) => void;
  /** The version of the snapshot: earlier ones cannot be watched. */
  readonly compacted: (version: number) => void;
  readonly change: (change: StoreChange) => void;
}

type Entry = readonly [storage: string, revision: Revision];

const headerSchema = z.object({ format: z.literal(1), version: z.number().int() });
const keptSchema = z.object({
  storage: z.string(),
  key: z.string(),
  version: z.number().int(),
  object: z.looseObject({ metadata: z.looseObject({}) }),
});
const lineSchema = z.discriminatedUnion("op", [
  keptSchema.extend({ op: z.literal("keep") }),
  keptSchema.extend({ op: z.literal("put") }),
  keptSchema.omit({ object: true }).extend({ op: z.literal("remove") }),
]);
type Line = z.infer<typeof lineSchema>;

const SMALLEST_REWRITE = 64 * 1_024 * 1_024;

/**
 * One file: a header, the objects as they were when the file was begun (`keep`), then each write (`put`, `remove`). It is rewritten, under
 * another name and then renamed, when the writes outweigh the objects. A torn last line, from a process killed while writing, is cut off.
 */
export class Journal {
  readonly #path: string;
  #file: number | undefined;
  #snapshotBytes = 0;
  #changeBytes = 0;

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    this.#path = join(folder, "journal.ndjson");
  }

  get isDueForRewrite(): boolean {
    return this.#changeBytes > Math.max(SMALLEST_REWRITE, this.#snapshotBytes);
  }

  /** Reads the file, or creates one; returns the version of its last write. */
  load(replay: Replay): number {
    if (!existsSync(this.#path)) {
      this.rewrite(1, []);
      replay.compacted(1);
      return 1;
    }
    const lines = this.#completeLines();
    const version = this.#replay(lines, replay);
    this.#file = openSync(this.#path, "a");
    return version;
  }

  append(change: StoreChange): void {
    const line =
      change.kind === "deleted"
        ? removeLine(change.storage, change.revision)
        : objectLine("put", change.storage, change.revision);
    this.#changeBytes += line.length;
    this.#write(line);
  }

  rewrite(version: number, entries: Iterable<Entry>): void {
    const fresh = `${this.#path}.new`;
    const file = openSync(fresh, "w", 0o600);
    this.#snapshotBytes = 0;
    writeSync(file, `${JSON.stringify({ format: 1, version })}\n`);
    for (const [storage, revision] of entries) {
      const line = objectLine("keep", storage, revision);
      this.#snapshotBytes += line.length;
      writeSync(file, line);
    }
    renameSync(fresh, this.#path);
    this.close();
    this.#file = file;
    this.#changeBytes = 0;
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #write(line: string): void {
    if (this.#file === undefined) {
      throw new Error(
        "The cluster's journal is closed, so nothing can be written; start the cluster again.",
      );
    }
    writeSync(this.#file, line);
  }

  #completeLines(): readonly string[] {
    const content = readFileSync(this.#path);
    const end = content.lastIndexOf(0x0a) + 1;
    if (end < content.length) truncateSync(this.#path, end);
    return content.subarray(0, end).toString("utf8").split("\n").slice(0, -1);
  }

  #replay(lines: readonly string[], replay: Replay): number {
    const [first = "", ...rest] = lines;
    const header = headerSchema.safeParse(parseLine(first));
    if (!header.success) {
      throw new Error(
        `${this.#path} is not a journal of the sandbox cluster; give --state another folder or remove the file.`,
      );
    }
    let { version } = header.data;
    replay.compacted(version);
    const current = new Map<string, Revision>();
    for (const text of rest) {
      const line = lineSchema.parse(parseLine(text));
      this.#changeBytes += line.op === "keep" ? 0 : text.length;
      this.#snapshotBytes += line.op === "keep" ? text.length : 0;
      replayLine(line, current, replay);
      version = Math.max(version, line.version);
    }
    return version;
  }
}

function replayLine(line: Line, current: Map<string, Revision>, replay: Replay): void {
  const identity = `${line.storage} ${line.key}`;
  const previous = current.get(identity);
  const { storage, version, key } = line;
  if (line.op === "remove") {
    if (previous === undefined) return;
    current.delete(identity);
    const revision = revisionOf(key, previous.object, version);
    replay.change({ kind: "deleted", storage, version, revision, previous });
    return;
  }
  // Written by this class from an object that the registry had checked.
  const revision = revisionOf(key, line.object as ApiObject, version);
  current.set(identity, revision);
  if (line.op === "keep") {
    replay.snapshot(storage, revision);
  } else if (previous === undefined) {
    replay.change({ kind: "added", storage, version, revision });
  } else {
    replay.change({ kind: "modified", storage, version, revision, previous });
  }
}

function objectLine(op: "keep" | "put", storage: string, revision: Revision): string {
  const { key, version, json } = revision;
  const head = JSON.stringify({ op, storage, key, version }).slice(0, -1);
  return `${head},"object":${json}}\n`;
}

function removeLine(storage: string, { key, version }: Revision): string {
  return `${JSON.stringify({ op: "remove", storage, key, version })}\n`;
}

function parseLine(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
