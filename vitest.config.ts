import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const ALL = "{packages,apps,scripts,e2e}/**/*.test.{ts,tsx}";
/**
 * Files that leave nothing behind in their process run in one after the other: each loads only what none before it has loaded, which
 * is most of the work of a small test. Those that start servers, or change the process itself, have one of their own.
 */
const SHARED = "{packages/{*,providers/*},apps/*}/src/**/!(*.real|*.lab).test.ts";
/** As those, each in the document that the one before it has left empty. */
const PAGES = "apps/web/src/**/*.test.tsx";
/** `npm test` runs these on the machine's own Node, if that is another one. */
const SCRIPTS = "scripts/**/*.test.ts";
const BUILT = ["**/node_modules/**", "**/dist/**", "**/.next/**"];

/** Tests stand beside the code; suites over the network live in e2e and have their own runners (npm test runs all). */
export default defineConfig({
  resolve: {
    // As in tsconfig.base.json: our own tests run the sources of the package, not what is built of it.
    alias: [
      {
        find: /^@cloudwright\/provider-api$/,
        replacement: inProject("packages/provider-api/src/index.ts"),
      },
      {
        find: /^@cloudwright\/provider-api\/(\w+)$/,
        replacement: inProject("packages/provider-api/src/$1/index.ts"),
      },
    ],
  },
  test: {
    projects: [
      {
        extends: true,
        test: { name: "shared", include: [SHARED], exclude: BUILT, isolate: false },
      },
      {
        extends: true,
        test: {
          name: "pages",
          include: [PAGES],
          exclude: BUILT,
          isolate: false,
          setupFiles: ["apps/web/src/testing/empty-document.ts"],
        },
      },
      { extends: true, test: { name: "scripts", include: [SCRIPTS], exclude: BUILT } },
      {
        extends: true,
        test: { name: "own", include: [ALL], exclude: [...BUILT, SHARED, PAGES, SCRIPTS] },
      },
    ],
    globalSetup: ["packages/store/testing/shared-server.ts"],
    // Many files wait for servers that they have started: on two cores one worker, the default, leaves half of them idle.
    maxWorkers: Math.max(3, availableParallelism()),
    // Real servers start in many tests, on machines that are busy with other things.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 15_000 } },
    retry: process.env.CI === undefined ? 0 : 1,
  },
});

function inProject(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
