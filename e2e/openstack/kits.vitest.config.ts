import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** The provider conformance kits on the lab's real services, one file at a time: they share the project. */
export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  resolve: {
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
    include: ["packages/providers/openstack/test/*.lab.ts"],
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 300_000,
  },
});

function inProject(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}
