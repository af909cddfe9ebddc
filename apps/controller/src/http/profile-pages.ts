import type { Session } from "node:inspector/promises";
import { sleep } from "@cloudwright/core/kube/sleep";
import type { Clock } from "@cloudwright/core/model/time";
import {
  type Page,
  type PageHandler,
  type PageRequest,
  type Pages,
  read,
  textPage,
} from "./pages.ts";

const DEFAULT_SECONDS = 30;
const MOST_SECONDS = 300;

const INDEX = `Profiles of this process, in the formats of V8 (Chrome's developer tools and most editors open them):

/debug/pprof/profile?seconds=30  where CPU time goes (.cpuprofile)
/debug/pprof/heap?seconds=30     which functions allocated the memory in use at the end (.heapprofile); no contents of objects
`;

export interface ProfilePagesOptions extends Pick<Recording, "clock" | "signal"> {
  setVerbosity(level: number): void;
}

/** Returns the pages that `--profiling` adds: profiles, and the log level (spec/00 §7). */
export function profilePages(options: ProfilePagesOptions): Pages {
  return new Map<string, PageHandler>([
    ["/debug/pprof", read(() => textPage(200, INDEX))],
    ["/debug/pprof/", read(() => textPage(200, INDEX))],
    ["/debug/pprof/profile", read(profile(options, recordCpu))],
    ["/debug/pprof/heap", read(profile(options, recordAllocations))],
    ["/debug/flags/v", { verbs: ["put"], answer: (request) => putVerbosity(request, options) }],
  ]);
}

function profile(
  { clock, signal }: ProfilePagesOptions,
  record: (recording: Recording) => Promise<object>,
): (request: PageRequest) => Promise<Page> {
  return async ({ query }) => {
    const seconds = Number(query.get("seconds") ?? DEFAULT_SECONDS);
    if (!(seconds > 0 && seconds <= MOST_SECONDS)) {
      return textPage(400, `seconds must be more than 0 and at most ${MOST_SECONDS}\n`);
    }
    try {
      const body = JSON.stringify(await record({ seconds, clock, signal }));
      return { status: 200, type: "application/json", body };
    } catch (error) {
      if (error instanceof ProfileBusy) return textPage(409, `${error.message}\n`);
      throw error;
    }
  };
}

async function putVerbosity(
  request: PageRequest,
  { setVerbosity }: ProfilePagesOptions,
): Promise<Page> {
  const wanted = (await request.body()).trim();
  if (!/^\d{1,2}$/.test(wanted))
    return textPage(400, "the body must be a whole number such as 4\n");
  setVerbosity(Number(wanted));
  return textPage(200, `the log's level is now ${Number(wanted)}\n`);
}

/** Another recording is in progress: V8 records one profile of each kind at a time. */
class ProfileBusy extends Error {
  override readonly name = "ProfileBusy";
}

/** How long to record: for this many seconds, or until the server closes. */
export interface Recording {
  readonly seconds: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** One sample per this many bytes on average, like Go's heap profile. */
const SAMPLE_BYTES = 524_288;

const busy = new Set<string>();

/** Records where V8 spends CPU time. Throws ProfileBusy. */
function recordCpu({ seconds, clock, signal }: Recording): Promise<object> {
  return alone("CPU", async (session) => {
    await session.post("Profiler.enable");
    await session.post("Profiler.start");
    await sleep(clock, seconds * 1_000, signal);
    return (await session.post("Profiler.stop")).profile;
  });
}

/**
 * Records what functions allocate meanwhile and what of it is still held. The profile contains only function names and sizes: a
 * heap snapshot would show tokens and credentials to anyone who may read this page. Throws ProfileBusy.
 */
function recordAllocations({ seconds, clock, signal }: Recording): Promise<object> {
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
    // Loaded only when needed: few processes are ever profiled.
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
