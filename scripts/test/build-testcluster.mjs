import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { inProject, PlainError } from "../lib/project.mjs";

/** No folder: tests of the real API server find nothing there, and skip. */
const NOWHERE = join("testcluster", "that", "could", "not", "be", "built");

/**
 * Where the harness of the real API server is beside the project it is built before anything is tested, as its first build takes
 * minutes, more than any test waits. Answers what tests need in their environment.
 *
 * Throws PlainError when it cannot be built although REQUIRE_REAL=1; without that it is reported, and its tests are skipped.
 */
export function buildTestcluster({ env = process.env, say = console.log } = {}) {
  const folder = env.CLOUDWRIGHT_TESTCLUSTER ?? inProject("..", "shared", "testcluster");
  const build = join(folder, "build");
  if (!existsSync(build)) return {};
  const { error, status } = spawnSync(build, { env, stdio: ["ignore", "ignore", "inherit"] });
  if (status === 0) return {};
  const why = error === undefined ? `its build ended with code ${status}` : error.message;
  if (env.REQUIRE_REAL === "1")
    throw new PlainError(`The real API server is asked for by REQUIRE_REAL=1, but ${why}.`);
  say(`Tests of the real API server are skipped: ${why}.`);
  return { CLOUDWRIGHT_TESTCLUSTER: NOWHERE };
}
