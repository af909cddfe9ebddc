import { Worker } from "node:worker_threads";
import type {
  LeaseReport,
  LeaseRequest,
  LeaseThreadAccess,
  LeaseThreadData,
} from "./lease-messages.ts";
import type { LeaseThread, StartLeaseThread } from "./threaded-election.ts";

/** The heap of the thread, MiB: it knows one object, and what V8 is not given it does not keep. */
const HEAP = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 4 };

/** How an election gets its thread; see lease-worker.ts. */
export function leaseThreads(access: LeaseThreadAccess): StartLeaseThread {
  return (data, { onReport, onDeath }): LeaseThread => {
    const workerData: LeaseThreadData & { readonly access: LeaseThreadAccess } = {
      ...data,
      access,
    };
    const worker = new Worker(programFile(), { workerData, resourceLimits: HEAP });
    // The process lives for other things.
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

/** In a bundle the thread's program lies beside us, compiled. */
function programFile(): URL {
  const isCheckout = import.meta.url.endsWith(".ts");
  const file = isCheckout ? "./lease-worker-in-checkout.mjs" : "./lease-worker.mjs";
  return new URL(file, import.meta.url);
}
