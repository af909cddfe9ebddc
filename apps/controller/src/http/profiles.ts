import type { Session } from "node:inspector/promises";
import { sleep } from "@cloudwright/core/kube/sleep";
import type { Clock } from "@cloudwright/core/model/time";

/** Somebody else is recording: V8 keeps one profile of a kind at a time. */
export class ProfileBusy extends Error {
  override readonly name = "ProfileBusy";
}

/** How long to record: so many seconds, or until the server ends. */
export interface Recording {
  readonly seconds: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** As Go's heap profile: one sample each so many bytes on average. */
const SAMPLE_BYTES = 524_288;

const busy = new Set<string>();

/** Where V8 spent the CPU's time. Throws ProfileBusy. */
export function recordCpu({ seconds, clock, signal }: Recording): Promise<object> {
  return alone("CPU", async (session) => {
    await session.post("Profiler.enable");
    await session.post("Profiler.start");
    await sleep(clock, seconds * 1_000, signal);
    return (await session.post("Profiler.stop")).profile;
  });
}

/**
 * Functions by what they allocated meanwhile and what is still held. It names functions and sizes only: a heap
 * snapshot would show tokens and credentials to whoever may read this. Throws ProfileBusy.
 */
export function recordAllocations({ seconds, clock, signal }: Recording): Promise<object> {
  return alone("heap", async (session) => {
    await session.post("HeapProfiler.enable");
    await session.post("HeapProfiler.startSampling", { samplingInterval: SAMPLE_BYTES });
    await sleep(clock, seconds * 1_000, signal);
    return (await session.post("HeapProfiler.stopSampling")).profile;
  });
}

async function alone(kind: string, record: (session: Session) => Promise<object>): Promise<object> {
  if (busy.has(kind)) throw new ProfileBusy(`a ${kind} profile is being recorded; try again later`);
  busy.add(kind);
  try {
    // Loaded only now: few processes are ever profiled.
    const inspector = await import("node:inspector/promises");
    const session = new inspector.Session();
    session.connect();
    try {
      return await record(session);
    } finally {
      session.disconnect();
    }
  } finally {
    busy.delete(kind);
  }
}
