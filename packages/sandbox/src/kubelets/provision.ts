import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { type CloudAddress, callCloud } from "../cloud/client.ts";

export interface ProvisionOptions {
  readonly cloudEndpoint: string;
  readonly token: string;
  readonly count: number;
  readonly zones: number;
  readonly namePrefix: string;
  /** Records which machines were created, so that one deleted by a user does not come back. */
  readonly stateFile: string;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly log: (message: string) => void;
}

/** Creates the machines 1 to `count` that were never created before. A larger count on a later start creates the additional ones. */
export async function provisionMachines(options: ProvisionOptions): Promise<void> {
  const made = await readMade(options.stateFile);
  const wanted = Array.from({ length: options.count }, (_, index) => index);
  const missing = wanted.filter((index) => !made.has(nameOf(index, options)));
  if (missing.length === 0) {
    return;
  }
  await inParallel(missing, {
    concurrency: options.concurrency,
    work: (index) => makeUntilThere(index, options),
  });
  options.signal.throwIfAborted();
  const names = missing.map((index) => nameOf(index, options));
  await writeMade(options.stateFile, [...made, ...names]);
}

function nameOf(index: number, { namePrefix }: ProvisionOptions): string {
  return `${namePrefix}${index + 1}`;
}

function zoneOf(index: number, { zones }: ProvisionOptions): string {
  return `region-1${String.fromCharCode("a".charCodeAt(0) + (index % zones))}`;
}

const AGAIN_AFTER_MS = 1_000;

/** The cloud may be failing because of faults; a lost answer must not lead to a second machine of the same name. */
async function makeUntilThere(index: number, options: ProvisionOptions): Promise<void> {
  while (!options.signal.aborted) {
    try {
      if (!(await exists(nameOf(index, options), options))) {
        await make(index, options);
      }
      return;
    } catch (error) {
      options.log(`The instance ${nameOf(index, options)} is not made yet: ${String(error)}`);
    }
    await wait(AGAIN_AFTER_MS, undefined, { signal: options.signal }).catch(() => undefined);
  }
}

const pageSchema = z.object({ items: z.array(z.unknown()) });

async function exists(name: string, options: ProvisionOptions): Promise<boolean> {
  const query = new URLSearchParams({ name, limit: "1" });
  const path = `/v1/instances?${query}`;
  const body = await callCloud(addressOf(options), { method: "GET", path, signal: options.signal });
  return pageSchema.parse(body).items.length > 0;
}

async function make(index: number, options: ProvisionOptions): Promise<void> {
  const body = { name: nameOf(index, options), zone: zoneOf(index, options) };
  const { signal } = options;
  await callCloud(addressOf(options), { method: "POST", path: "/v1/instances", body, signal });
}

function addressOf({ cloudEndpoint, token }: ProvisionOptions): CloudAddress {
  return { endpoint: cloudEndpoint, admin: cloudEndpoint, token };
}

const stateSchema = z.object({ made: z.array(z.string()) });

async function readMade(file: string): Promise<ReadonlySet<string>> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) {
    return new Set();
  }
  const state = stateSchema.safeParse(JSON.parse(text));
  if (!state.success) {
    throw new Error(`The state file ${file} is not one of the fake kubelets: choose another.`);
  }
  return new Set(state.data.made);
}

async function writeMade(file: string, made: readonly string[]): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.new`, JSON.stringify({ made }));
  await rename(`${file}.new`, file);
}

/** Does the work for every item, in order, with bounded concurrency. Rejects with the first error. */
async function inParallel<Item>(
  items: Iterable<Item>,
  { concurrency, work }: { concurrency: number; work: (item: Item) => Promise<void> },
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const drain = async (): Promise<void> => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) {
      await work(next.value);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, drain));
}
