import { type FileHandle, open, readFile, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { messageOf } from "@cloudwright/core/model/values/message-of";

/** An append-only file of JSON lines that survives the death of the process at any byte. */
export interface Journal {
  /** Resolves when the record is on disk; rejects, and refuses all later ones, when writing fails. */
  append(record: unknown): Promise<void>;
  close(): Promise<void>;
}

export interface JournalOptions {
  readonly file: string;
  /** The content of the first line; a file that begins differently is not ours and is left alone. */
  readonly format: string;
  /** Called for every record in the file, in order. */
  readonly replay: (record: unknown) => void;
  /** Returns the records that rebuild the current state. */
  readonly snapshot: () => readonly unknown[];
}

/**
 * Opens or creates the file, replays it and rewrites it as a snapshot. A rewrite replaces the file in one step, so it is always complete
 * except for a last line that was being written when the process died: that record was never confirmed and is left out. Throws an Error
 * that names the file when it is not ours or is damaged elsewhere.
 */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  replayFile(await readIfThere(options.file), options);
  const writer = new JournalWriter(options);
  await writer.rewrite();
  return writer;
}

interface Waiting {
  readonly line: string;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

const REWRITE_FLOOR = 2_000;
const REWRITE_FACTOR = 4;
/** Records with a thousand members each fill a disk long before they are numerous. */
const REWRITE_FLOOR_BYTES = 32 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;

class JournalWriter implements Journal {
  readonly #options: JournalOptions;
  #handle: FileHandle | undefined;
  #waiting: Waiting[] = [];
  #draining: Promise<void> | undefined;
  #broken: Error | undefined;
  #appended = 0;
  #appendedBytes = 0;
  #snapshotSize = 0;
  #snapshotBytes = 0;

  constructor(options: JournalOptions) {
    this.#options = options;
  }

  append(record: unknown): Promise<void> {
    if (this.#broken !== undefined) {
      return Promise.reject(this.#broken);
    }
    const line = `${JSON.stringify(record)}\n`;
    const written = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ line, resolve, reject });
    });
    this.#draining ??= this.#drain();
    return written;
  }

  async close(): Promise<void> {
    await this.#draining;
    this.#broken ??= new Error(`The state file ${this.#options.file} is closed.`);
    await this.#handle?.close();
    this.#handle = undefined;
  }

  /** All waiting records share one write and one sync. */
  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        await this.#persist(batch);
        for (const { resolve } of batch) {
          resolve();
        }
      } catch (error) {
        this.#fail(error, batch);
      }
    }
    this.#draining = undefined;
  }

  #persist(batch: readonly Waiting[]): Promise<void> {
    const text = batch.map(({ line }) => line).join("");
    const records = this.#appended + batch.length;
    const bytes = this.#appendedBytes + text.length;
    const isLarge =
      records > Math.max(REWRITE_FLOOR, REWRITE_FACTOR * this.#snapshotSize) ||
      bytes > Math.max(REWRITE_FLOOR_BYTES, this.#snapshotBytes);
    return isLarge ? this.rewrite() : this.#write(text, batch.length);
  }

  async #write(text: string, records: number): Promise<void> {
    await this.#handle?.appendFile(text);
    await this.#handle?.datasync();
    this.#appended += records;
    this.#appendedBytes += text.length;
  }

  #fail(error: unknown, batch: readonly Waiting[]): void {
    const why = messageOf(error);
    const broken = new Error(
      `The state file ${this.#options.file} cannot be written (${why}): make room and restart the sandbox cloud.`,
    );
    this.#broken = broken;
    const waiting = [...batch, ...this.#waiting];
    this.#waiting = [];
    for (const { reject } of waiting) {
      reject(broken);
    }
  }

  /**
   * The snapshot is taken before the first await, so it contains every record waiting at that moment. Its records are never modified, only
   * replaced, so they may be written in pieces.
   */
  async rewrite(): Promise<void> {
    const { file, format, snapshot } = this.#options;
    const records = snapshot();
    const draft = `${file}.new`;
    const handle = await open(draft, "w", 0o600);
    let bytes: number;
    try {
      bytes = await writeLines(handle, [{ format }, ...records]);
      await handle.sync();
      await rename(draft, file);
    } catch (error) {
      await handle.close();
      throw error;
    }
    await this.#handle?.close();
    this.#handle = handle;
    this.#appended = 0;
    this.#appendedBytes = 0;
    this.#snapshotSize = records.length;
    this.#snapshotBytes = bytes;
    await syncFolder(dirname(file));
  }
}

/** Writes in pieces, so that a large state neither doubles in memory nor blocks requests. Returns the number of bytes. */
async function writeLines(handle: FileHandle, records: readonly unknown[]): Promise<number> {
  let bytes = 0;
  let chunk = "";
  for (const record of records) {
    chunk += `${JSON.stringify(record)}\n`;
    if (chunk.length >= CHUNK_BYTES) {
      await handle.appendFile(chunk);
      bytes += chunk.length;
      chunk = "";
    }
  }
  await handle.appendFile(chunk);
  return bytes + chunk.length;
}

function replayFile(text: string | undefined, options: JournalOptions): void {
  if (text === undefined || text === "") {
    return;
  }
  const lines = text.split("\n").slice(0, -1);
  const [head, ...records] = lines;
  if (head !== JSON.stringify({ format: options.format })) {
    throw new Error(
      `The file ${options.file} is not a state file of this program: choose another file or move it away.`,
    );
  }
  for (const [index, line] of records.entries()) {
    replayLine(line, { ...options, number: index + 2 });
  }
}

function replayLine(
  line: string,
  { file, number, replay }: JournalOptions & { number: number },
): void {
  try {
    replay(JSON.parse(line));
  } catch (cause) {
    throw new Error(
      `The state file ${file} is damaged in line ${number}: move it away to start with an empty state.`,
      { cause },
    );
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      return undefined;
    }
    throw error;
  }
}

/** Syncs the folder, as the rename itself must survive a power failure. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
