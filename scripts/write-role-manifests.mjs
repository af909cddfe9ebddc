import { execFileSync } from "node:child_process";
import { inProject } from "./lib/project.mjs";
import { runtime } from "./lib/runtime.mjs";

/** Writes deploy/rbac from what the built command prints. */
execFileSync(runtime(), [
  inProject("apps/controller/bin/cloudwright.mjs"),
  "permissions",
  "--directory",
  inProject("deploy", "rbac"),
]);
