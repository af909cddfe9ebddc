import type { KeyObject } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { CheckpointKeeper } from "@cloudwright/core/reconcile/checkpoints/checkpoint-ports";
import { knownHeads } from "@cloudwright/store/audit/audit-chain";
import type { KnownHead } from "@cloudwright/store/views/chains";
import type { FlagValues } from "../../flags/definitions/all.ts";
import { PlainError } from "../../plain-error.ts";
import { signingKey } from "./anchor-key.ts";
import {
  type AnchorLine,
  anchorLine,
  FIRST_BEFORE,
  hashOfLine,
  readAnchorLine,
} from "./anchor-line.ts";

/** Opens the second destination of checkpoints; undefined without `--audit-anchor`. Throws PlainError for invalid flags. */
export function openAnchor(flags: FlagValues, cluster: string): CheckpointKeeper | undefined {
  const address = flags["audit-anchor"];
  const keyFile = flags["audit-anchor-key"];
  if (address === "" && keyFile === "") return undefined;
  if (address === "" || keyFile === "") {
    throw new PlainError(
      "Give --audit-anchor and --audit-anchor-key together: the key signs the anchor.",
    );
  }
  const path = anchorPath("--audit-anchor", address);
  return anchorKeeper({ path, cluster, key: signingKey(keyFile) });
}

/** Returns the path of a `file:///PATH` address. Throws PlainError for any other address: only files are supported. */
export function anchorPath(flag: string, address: string): string {
  try {
    const url = new URL(address);
    if (url.protocol === "file:" && url.host === "") return fileURLToPath(url);
  } catch {
    // Reported below, like another scheme.
  }
  throw new PlainError(
    `${flag} is "${address}": give a file, such as file:///mnt/worm/audit.anchor.`,
  );
}

/** Appends signed checkpoints to a file. Existing lines are never changed. */
export function anchorKeeper({
  path,
  cluster,
  key,
}: {
  readonly path: string;
  readonly cluster: string;
  readonly key: KeyObject;
}): CheckpointKeeper {
  return {
    place: anchorPlace(path),
    async read() {
      const last = await lastLine(path);
      if (last === undefined) return undefined;
      const found = readAnchorLine(last, { key });
      if (found?.cluster === cluster) return found.checkpoint;
      throw new Error(
        `The last line of ${path} was not signed with this key for this cluster: name another file, or the previous key.`,
      );
    },
    async write(checkpoint) {
      const last = await lastLine(path);
      const before = last === undefined ? FIRST_BEFORE : hashOfLine(last);
      await append(path, `${anchorLine({ cluster, checkpoint }, { before, key })}\n`);
    },
  };
}

function anchorPlace(path: string): string {
  return `file ${path}`;
}

/** Returns the heads that an anchor records for each chain, oldest first. Throws PlainError for a line whose signature does not match. */
export async function anchoredHeads(
  path: string,
  key: KeyObject,
): Promise<ReadonlyMap<string, readonly KnownHead[]>> {
  try {
    return await gather(path, key);
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    throw new PlainError(`--anchor cannot be read (${error.message}): name the anchor's file.`, {
      cause: error,
    });
  }
}

async function gather(path: string, key: KeyObject): Promise<ReadonlyMap<string, KnownHead[]>> {
  const heads = new Map<string, KnownHead[]>();
  for await (const line of readLines(path, key)) {
    const place = { place: anchorPlace(path), copy: "anchor" } as const;
    for (const [chain, head] of knownHeads(line.checkpoint, line.cluster, place)) {
      const known = heads.get(chain) ?? [];
      known.push(head);
      heads.set(chain, known);
    }
  }
  return heads;
}

async function* readLines(path: string, key: KeyObject): AsyncGenerator<AnchorLine> {
  const input = createReadStream(path, "utf8");
  let before = FIRST_BEFORE;
  let number = 0;
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      number += 1;
      const found = readAnchorLine(line, { before, key });
      if (found === undefined) throw brokenLine(path, number);
      before = hashOfLine(line);
      yield found;
    }
  } finally {
    input.destroy();
  }
}

function brokenLine(path: string, number: number): PlainError {
  return new PlainError(
    `The anchor is broken: line ${number} of ${path} does not match its signature by this key, or a line before it was removed. Leave the file as it is and compare it with a copy.`,
    { exitCode: 2 },
  );
}

const LINE_MOST = 4_096;

/** Returns undefined if the file does not exist or is empty. */
async function lastLine(path: string): Promise<string | undefined> {
  const file = await openIfThere(path);
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - LINE_MOST);
    const buffer = Buffer.alloc(size - from);
    await file.read(buffer, 0, buffer.length, from);
    const text = buffer.toString("utf8").replace(/\n$/, "");
    return text === "" ? undefined : text.slice(text.lastIndexOf("\n") + 1);
  } finally {
    await file.close();
  }
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, "r");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Writes the whole line to disk or nothing: half a line would break the anchor forever. */
async function append(path: string, line: string): Promise<void> {
  const file = await open(path, "a", 0o600);
  try {
    const { size } = await file.stat();
    try {
      await file.writeFile(line);
      await file.sync();
    } catch (error) {
      await file.truncate(size);
      throw error;
    }
  } finally {
    await file.close();
  }
}
