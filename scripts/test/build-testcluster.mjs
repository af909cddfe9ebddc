import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { inProject, PlainError } from "../lib/project.mjs";

/** A folder that does not exist: tests of the real API server find nothing there, and skip. */
const NOWHERE = join("testcluster", "that", "could", "not", "be", "built");

/**
 * Builds the harness of the real API server, if it is beside the project, before running any tests: its first build takes
 * minutes, longer than any test waits. Returns the environment that tests need.
 *
 * Throws PlainError if it cannot be built and REQUIRE_REAL=1; otherwise that is reported, and its tests are skipped.
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
