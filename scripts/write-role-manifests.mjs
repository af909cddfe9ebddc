import { execFileSync } from "node:child_process";
import { inProject } from "./lib/project.mjs";

/** Writes deploy/rbac from what the built command prints. */
execFileSync(process.execPath, [
  inProject("apps/controller/bin/cloudwright.mjs"),
  "permissions",
  "--directory",
  inProject("deploy", "rbac"),
]);
