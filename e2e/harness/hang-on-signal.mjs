/**
 * Loaded before a program (`NODE_OPTIONS=--import=…`): SIGUSR2 makes its main thread hang as long as the file named by
 * CLOUDWRIGHT_TEST_HANG exists. Other threads continue.
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
