import { execFileSync } from "node:child_process";
import { inProject } from "./lib/project.mjs";
import { runtime } from "./lib/runtime.mjs";

/** Writes deploy/rbac, and the rules for the Helm chart's roles, from the output of the built command. */
for (const option of [
  ["--directory", inProject("deploy", "rbac")],
  ["--chart", inProject("deploy", "chart", "files", "roles.yaml")],
]) {
  execFileSync(runtime(), [
    inProject("apps/controller/bin/cloudwright.mjs"),
    "permissions",
    ...option,
  ]);
}
