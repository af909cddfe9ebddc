import { spawnSync } from "node:child_process";
import { ROOT } from "../lib/project.mjs";
import { npmCommand } from "../setup/run-tool.mjs";

const LIMIT_MS = 120_000;

/** npm's messages if the registry, or the log of its keys, does not respond or has no keys. */
const NO_ANSWER =
  /code (ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|E40[1345]|E5\d\d)|found no dependencies to audit|No dependencies to audit/i;

/** Has npm check the registry's signature of every installed package. */
export function checkSignatures() {
  const { command, before } = npmCommand();
  const { status, stdout, stderr } = spawnSync(command, [...before, "audit", "signatures"], {
    cwd: ROOT,
    encoding: "utf8",
    timeout: LIMIT_MS,
    env: { ...process.env, npm_config_fetch_retries: "0" },
  });
  return judgeSignatures({ status, output: `${stdout ?? ""}${stderr ?? ""}` });
}

/**
 * Returns `{ counts, lines }` for a run of `npm audit signatures`: wrong or missing signatures are a failure, and a registry that
 * does not respond is a visible skip. `status` is null if it did not end in time.
 */
export function judgeSignatures({ status, output }) {
  const lines = output.trim().split("\n");
  if (status === 0) return { counts: { passed: 1, failed: 0, skipped: 0 }, lines };
  if (status === null || NO_ANSWER.test(output)) {
    const why = lines.find((line) => NO_ANSWER.test(line)) ?? "no answer in time";
    const sentence = `Signatures were not checked, as the registry or its keys could not be reached: ${why.replace(/^npm error /, "")}.`;
    return { counts: { passed: 0, failed: 0, skipped: 1 }, lines: [sentence] };
  }
  const failed = "failed: signatures of packages are wrong or missing: see above";
  return { counts: { passed: 0, failed: 1, skipped: 0 }, lines: [...lines, failed] };
}
