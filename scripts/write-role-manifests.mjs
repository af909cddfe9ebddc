import { execFileSync } from "node:child_process";
import { inProject } from "./lib/project.mjs";
import { runtime } from "./lib/runtime.mjs";

/** Writes deploy/rbac, and the rules that the Helm chart makes its roles of, from what the built command prints. */
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
