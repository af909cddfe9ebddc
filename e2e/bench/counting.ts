import { createHook } from "node:async_hooks";
import fs, { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { Session } from "node:inspector/promises";
import { syncBuiltinESMExports } from "node:module";
import type { AddressInfo } from "node:net";
import { promiseHooks } from "node:v8";
import { isMainThread } from "node:worker_threads";

/**
 * Loaded into a controller before its own code (`bench nodes --count`): counts its work between a POST and a DELETE of an
 * instrument's name, which returns the result. The file named by `BENCH_COUNTS_AT` contains the address. Covers only the main
 * thread.
 */
interface Instrument {
  start(): Promise<unknown>;
  stop(): Promise<unknown>;
}

/** The mean number of allocated bytes between two samples. */
const SAMPLING_BYTES = 8_192;

const session = new Session();

const INSTRUMENTS: Readonly<Record<string, Instrument>> = {
  cpu: {
    start: async () => {
      await session.post("Profiler.enable");
      await session.post("Profiler.setSamplingInterval", { interval: 500 });
      await session.post("Profiler.start");
    },
    stop: async () => (await session.post("Profiler.stop")).profile,
  },
  heap: {
    start: () =>
      session.post("HeapProfiler.startSampling", {
        samplingInterval: SAMPLING_BYTES,
        includeObjectsCollectedByMajorGC: true,
        includeObjectsCollectedByMinorGC: true,
      }),
    stop: async () => (await session.post("HeapProfiler.stopSampling")).profile,
  },
  hooks: hooksInstrument(),
};

/** Counts asynchronous operations by their async_hooks type, promise callbacks, and bytes written to files synchronously. */
function hooksInstrument(): Instrument {
  const begun: Record<string, number> = {};
  const written = { lines: 0, bytes: 0 };
  let continuations = 0;
  let endPromiseHook = () => {};
  const hook = createHook({
    init: (_id, type) => {
      begun[type] = (begun[type] ?? 0) + 1;
    },
  });
  const { writeSync, writevSync } = fs;
  const count = (bytes: Uint8Array) => {
    written.bytes += bytes.length;
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) written.lines++;
  };
  return {
    start: async () => {
      fs.writeSync = ((fd: number, bytes: Buffer, ...rest: []) => {
        count(bytes);
        return writeSync(fd, bytes, ...rest);
      }) as typeof fs.writeSync;
      fs.writevSync = ((fd: number, parts: readonly Uint8Array[], ...rest: []) => {
        for (const part of parts) count(part);
        return writevSync(fd, parts, ...rest);
      }) as typeof fs.writevSync;
      syncBuiltinESMExports();
      endPromiseHook = promiseHooks.onBefore(() => {
        continuations++;
      }) as () => void;
      hook.enable();
    },
    stop: async () => {
      hook.disable();
      endPromiseHook();
      Object.assign(fs, { writeSync, writevSync });
      syncBuiltinESMExports();
      return { begun, continuations, written };
    },
  };
}

function serve(portFile: string): void {
  session.connect();
  const server = createServer((request, response) => {
    const instrument = INSTRUMENTS[request.url?.slice(1) ?? ""];
    const answer = request.method === "POST" ? instrument?.start() : instrument?.stop();
    Promise.resolve(answer).then(
      (found) => response.end(JSON.stringify(found ?? {})),
      (error: unknown) => {
        response.statusCode = 500;
        response.end(String(error));
      },
    );
  });
  server.listen(0, "127.0.0.1", () => {
    writeFileSync(portFile, String((server.address() as AddressInfo).port));
  });
  server.unref();
}

const portFile = process.env.BENCH_COUNTS_AT;
if (isMainThread && portFile !== undefined) serve(portFile);
