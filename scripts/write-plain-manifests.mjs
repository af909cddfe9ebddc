import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { helm } from "./helm.mjs";
import { inProject, runMain } from "./lib/project.mjs";

const FILE = inProject("deploy", "kubernetes", "cloudwright.yaml");

/** `node scripts/write-plain-manifests.mjs`: renders deploy/kubernetes from the chart, for users without Helm. */
export function plainManifests() {
  const args = ["template", "cloudwright", inProject("deploy", "chart"), "--no-hooks"];
  const values = ["--namespace", "kube-system", "-f", inProject("deploy/kubernetes/values.yaml")];
  const rendered = execFileSync(helm(), [...args, ...values], { encoding: "utf8" });
  // Removes the label that says that Helm manages the objects.
  const lines = rendered
    .split("\n")
    .filter((line) => !/^ *(app\.kubernetes\.io\/managed-by|helm\.sh\/chart): /.test(line));
  return `# Written by scripts/write-plain-manifests.mjs from deploy/chart.\n${lines.join("\n")}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await runMain(() => writeFileSync(FILE, plainManifests()));
