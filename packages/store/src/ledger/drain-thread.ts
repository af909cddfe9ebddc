import { Worker } from "node:worker_threads";
import type { BatchContents } from "../spool/decode-lines.ts";
import type { FailureKind } from "./connection.ts";
import type { Written } from "./sink.ts";

/** The interface of the thread that writes the ledger (drain-worker.ts). It takes one request at a time. */
export interface DrainThread {
  /** Throws DrainError while the database cannot be written. */
  write(lines: Uint8Array, openRuns: readonly string[]): Promise<DrainResult>;
  /** Throws DrainError. */
  interruptOrphans(): Promise<void>;
  /** Ends the thread, even during a request, which then fails. */
  end(): Promise<void>;
}

/** An error in the other thread. */
export class DrainError extends Error {
  readonly failure: DrainFailure;

  constructor(failure: DrainFailure) {
    super(failure.error);
    this.name = "DrainError";
    this.failure = failure;
  }
}

/** Limits of the thread's heap, MiB: batches are small, and V8 never gives back what it is allowed. */
const HEAP = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 8 };

/** Callbacks during a request. */
export interface DrainSigns {
  /** The thread has started, or the database has connected or answered a statement since the last sign. */
  onHeard(): void;
  /** Since the last sign the thread has run for this many milliseconds without an answer from the database. */
  onWaits(ms: number): void;
}

const NOBODY: DrainSigns = { onHeard: () => undefined, onWaits: () => undefined };

/** Starts the thread with the first request, and restarts it with the next request after it has died. */
export function drainThread(databaseUrl: string, signs: DrainSigns = NOBODY): DrainThread {
  let thread: Thread | undefined;
  let lastId = 0;
  const ask = (request: WithoutId<DrainRequest>): Promise<DrainResult | undefined> => {
    thread ??= startThread(databaseUrl, {
      ...signs,
      onDeath: () => {
        thread = undefined;
      },
    });
    lastId += 1;
    return thread.ask({ ...request, id: lastId });
  };
  return {
    async write(lines, openRuns) {
      const result = await ask({ kind: "write", lines, openRuns });
      if (result === undefined)
        throw new Error("The ledger's thread answered a write with nothing.");
      return result;
    },
    async interruptOrphans() {
      await ask({ kind: "interruptOrphans" });
    },
    async end() {
      await thread?.end();
    },
  };
}

type WithoutId<Message> = Message extends unknown ? Omit<Message, "id"> : never;

interface Thread {
  ask(request: DrainRequest): Promise<DrainResult | undefined>;
  end(): Promise<void>;
}

interface PendingRequest {
  readonly resolve: (result: DrainResult | undefined) => void;
  readonly reject: (error: Error) => void;
}

interface ThreadEvents extends DrainSigns {
  onDeath(): void;
}

function startThread(databaseUrl: string, { onHeard, onWaits, onDeath }: ThreadEvents): Thread {
  const workerData: DrainWorkerData = { databaseUrl };
  const worker = new Worker(programFile(), { workerData, resourceLimits: HEAP });
  // The thread must not keep the process alive; unwritten records stay in the spool.
  worker.unref();
  const pending = new Map<number, PendingRequest>();
  const die = (error: string) => {
    onDeath();
    for (const { reject } of pending.values()) reject(new DrainError({ kind: "away", error }));
    pending.clear();
  };
  worker.on("message", (reply: DrainReply) => {
    if (reply.kind === "heard") return onHeard();
    if (reply.kind === "waits") return onWaits(reply.ms);
    const request = pending.get(reply.id);
    pending.delete(reply.id);
    if (reply.kind === "done") request?.resolve(reply.result);
    else request?.reject(new DrainError(reply.failure));
  });
  worker.on("error", (error) => die(`the thread that writes the ledger died: ${error.message}`));
  worker.on("exit", () => die("the thread that writes the ledger has ended"));
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        pending.set(request.id, { resolve, reject });
        worker.postMessage(request);
      }),
    async end() {
      await worker.terminate();
    },
  };
}

/** In a bundle the thread's program is compiled and lies beside this file. */
function programFile(): URL {
  const isCheckout = import.meta.url.endsWith(".ts");
  const file = isCheckout ? "./drain-worker-in-checkout.mjs" : "./ledger-worker.mjs";
  return new URL(file, import.meta.url);
}

/** The messages between the thread that has the spool and the one that has the database. */
export type DrainRequest =
  | {
      readonly kind: "write";
      readonly id: number;
      /** Records, one per line. */
      readonly lines: Uint8Array;
      /** The runs that were open before these lines. */
      readonly openRuns: readonly string[];
    }
  | { readonly kind: "interruptOrphans"; readonly id: number };

export interface DrainResult extends Written {
  readonly contents: BatchContents;
}

export type DrainReply =
  /** The thread has started; or, during a long request, the database has connected or answered since the last sign. */
  | { readonly kind: "heard" }
  /** Since the last sign the database has not answered for this many milliseconds. */
  | { readonly kind: "waits"; readonly ms: number }
  | { readonly kind: "done"; readonly id: number; readonly result: DrainResult | undefined }
  | { readonly kind: "failed"; readonly id: number; readonly failure: DrainFailure };

/** An error as it is passed between threads. */
interface DrainFailure {
  readonly kind: FailureKind;
  readonly error: string;
  readonly code?: string;
}

export interface DrainWorkerData {
  readonly databaseUrl: string;
}
