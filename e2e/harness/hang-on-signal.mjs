/**
 * Loaded before a program (`NODE_OPTIONS=--import=…`), so that its main thread hangs from SIGUSR2 on for as long as the file that
 * CLOUDWRIGHT_TEST_HANG names is there. Other threads of the program go on.
 */
import { existsSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const POLL_EVERY_MS = 50;

if (isMainThread) {
  const nothing = new Int32Array(new SharedArrayBuffer(4));
  process.on("SIGUSR2", () => {
    while (existsSync(process.env.CLOUDWRIGHT_TEST_HANG ?? "")) {
      Atomics.wait(nothing, 0, 0, POLL_EVERY_MS);
    }
  });
}
