import { Worker } from "node:worker_threads";
import type { Clock } from "../../model/time.ts";
import type { KubeCallReport } from "../calls/call.ts";
import type { NameLookup } from "../calls/kube-client.ts";
import type { Election, ElectionCallbacks, ElectionOptions, Term } from "./election.ts";
import type {
  LeaseReport,
  LeaseRequest,
  LeaseThreadAccess,
  LeaseThreadData,
} from "./lease-messages.ts";
import { type TermFence, TermMemory, termFence } from "./term-memory.ts";

export interface ThreadedElectionOptions
  extends ElectionCallbacks,
    Pick<ElectionOptions, "namespace" | "name" | "identity" | "timings" | "events"> {
  /** Its monotonic time must be the same in every thread. */
  readonly clock: Clock;
  readonly startThread: StartLeaseThread;
  /** Called after every call of the thread, for metrics. */
  readonly onCall?: (call: KubeCallReport) => void;
  readonly onLookup?: (lookup: NameLookup) => void;
}

/** The thread that renews a Lease, as seen by the other thread. */
export interface LeaseThread {
  ask(request: LeaseRequest): void;
  end(): Promise<void>;
}

export type StartLeaseThread = (
  data: LeaseThreadData,
  listener: LeaseThreadListener,
) => LeaseThread;

export interface LeaseThreadListener {
  onReport(report: LeaseReport): void;
  /** May be called more than once, and after `end` too. */
  onDeath(why: string): void;
}

/** Well below any deadline of a renewal, which is at least 1 s. */
const SIGN_EVERY_MS = 250;

/**
 * Runs an election in a thread of its own, so that even a busy main thread renews in time. Three rules make it safe: this thread acts
 * only while the last confirmed renewal, which it reads from shared memory, is more recent than the deadline; the other thread renews
 * only while this one shows signs of life; and whichever of the two ends a term ends it for both at once.
 */
export function runThreadedElection(options: ThreadedElectionOptions): Election {
  const memory = new TermMemory();
  const seat = new Seat(options, memory);
  return {
    isLeader: () => seat.term !== undefined && seat.fence.isLeader(),
    mayRenew: () => seat.fence.mayRenew(),
    renewalAgeMs: () => seat.fence.renewalAgeMs(),
    get leader() {
      return seat.leader;
    },
    get term() {
      return seat.term;
    },
    stop: () => seat.stop(),
  };
}

class Seat {
  readonly fence: TermFence;
  leader = "";
  term: Term | undefined;
  readonly #options: ThreadedElectionOptions;
  readonly #memory: TermMemory;
  readonly #thread: LeaseThread;
  #isStopping: boolean = false;
  #isOver: boolean = false;
  #cancelSign: () => void = () => {};
  #finish: () => void = () => {};
  readonly #finished: Promise<void> = new Promise((resolve) => {
    this.#finish = resolve;
  });

  constructor(options: ThreadedElectionOptions, memory: TermMemory) {
    const { namespace, name, identity, timings, clock } = options;
    this.#options = options;
    this.#memory = memory;
    this.fence = termFence(memory, { clock, timings });
    this.#showLife();
    this.#thread = options.startThread(
      { memory: memory.buffer, namespace, name, identity, timings },
      { onReport: (report) => this.#hear(report), onDeath: (why) => this.#die(why) },
    );
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    // Nothing may be written from now on, although the Lease is ours until it is released.
    this.term = undefined;
    if (!this.#isOver) {
      this.#thread.ask({ kind: "stop" });
      await this.#finished;
    }
    this.#cancelSign();
    await this.#thread.end();
  }

  #showLife(): void {
    const { clock } = this.#options;
    this.#memory.hear(clock.monotonic());
    this.#cancelSign = clock.after(SIGN_EVERY_MS, () => this.#showLife());
  }

  #die(why: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#memory.end();
    this.term = undefined;
    this.#finish();
    this.#options.onError?.(new Error(`the thread that renews the Lease died: ${why}`));
    this.#options.onStoppedLeading("threadDied");
  }

  /** The Lease may have become ours just before the other thread heard that it must stop; it is then released. */
  #begin(term: Term): void {
    if (this.#isStopping) return;
    this.term = term;
    this.#options.onStartedLeading(term);
  }

  #hear(report: LeaseReport): void {
    switch (report.kind) {
      case "started":
        this.#begin(report.term);
        break;
      case "stopped":
        this.term = undefined;
        this.#options.onStoppedLeading(report.reason);
        break;
      case "holder":
        this.leader = report.identity;
        this.#options.onHolder?.(report.identity);
        break;
      case "over":
        this.#isOver = true;
        this.#finish();
        break;
      default:
        handOn(this.#options, report);
    }
  }
}

type Note = Exclude<LeaseReport, { kind: "started" | "stopped" | "holder" | "over" }>;

/** Forwards what this thread does not handle itself. */
function handOn(options: ThreadedElectionOptions, note: Note): void {
  switch (note.kind) {
    case "failed":
      options.onError?.(new Error(note.error));
      break;
    case "slowPath":
      options.onSlowPath?.();
      break;
    case "renewed":
      options.onRenewed?.(note.renewal);
      break;
    case "event":
      options.events?.event(note.object, note.text);
      break;
    case "called":
      options.onCall?.(note.call);
      break;
    case "lookedUp":
      options.onLookup?.(note.lookup);
  }
}

/** The thread's heap in MiB: it handles one object, and V8 keeps only what it is given. */
const HEAP = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 4 };

/** Starts an election's threads; see lease-worker.ts. */
export function leaseThreads(access: LeaseThreadAccess): StartLeaseThread {
  return (data, { onReport, onDeath }): LeaseThread => {
    const workerData: LeaseThreadData & { readonly access: LeaseThreadAccess } = {
      ...data,
      access,
    };
    const worker = new Worker(programFile(), { workerData, resourceLimits: HEAP });
    // This thread must not keep the process alive.
    worker.unref();
    worker.on("message", (report: LeaseReport) => onReport(report));
    worker.on("error", (error) => onDeath(error.message));
    worker.on("exit", () => onDeath("it has ended"));
    return {
      ask: (request: LeaseRequest) => worker.postMessage(request),
      end: async () => {
        await worker.terminate();
      },
    };
  };
}

/** In a bundle the compiled program of the thread is beside this file. */
function programFile(): URL {
  const isCheckout = import.meta.url.endsWith(".ts");
  const file = isCheckout ? "./lease-worker-in-checkout.mjs" : "./lease-worker.mjs";
  return new URL(file, import.meta.url);
}
