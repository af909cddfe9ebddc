import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Tests stand beside the code; suites over the network live in e2e and have their own runners (npm test runs all). */
export default defineConfig({
  test: {
    include: ["{packages,apps,scripts,e2e}/**/*.test.{ts,tsx}"],
    exclude: ["**/node_modules/**", "**/dist/**", "**/.next/**"],
    globalSetup: ["packages/store/testing/shared-server.ts"],
    // Many files wait for servers that they have started: on two cores one worker, the default, leaves half of them idle.
    maxWorkers: Math.max(3, availableParallelism()),
    // Real servers start in many tests, on machines that are busy with other things.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    retry: process.env.CI === undefined ? 0 : 1,
  },
});
