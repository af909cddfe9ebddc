import { expect, it, vi } from "vitest";
import { start } from "../../harness/processes.ts";
import { watchPeaks } from "./peaks.ts";

const isLinux = process.platform === "linux";
const MIB = 2 ** 20;

it.runIf(isLinux)("what a process had at most is known after it gave it back", async () => {
  const peaks = watchPeaks({
    large: (line) => line.includes("bench-peaks-large"),
    absent: (line) => line.includes("bench-peaks-absent"),
  });
  const script = `Buffer.alloc(${200 * MIB}, 1); setInterval(() => {}, 1000)`;
  const started = start(process.execPath, ["-e", script, "bench-peaks-large"]);
  try {
    const seen = await vi.waitUntil(
      () => {
        const taken = peaks.taken();
        return (taken.large ?? 0) > 200 && taken;
      },
      { timeout: 30_000 },
    );
    expect(seen.absent).toBeUndefined();
  } finally {
    await started.stop("SIGKILL");
    peaks.close();
  }
});
