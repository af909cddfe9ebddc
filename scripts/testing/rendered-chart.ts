import { execFileSync, spawnSync } from "node:child_process";
import { parseAllDocuments } from "yaml";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { whereHelmIs } from "../helm.mjs";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { inProject } from "../lib/project.mjs";

export interface Manifest {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly annotations?: Record<string, string>;
  };
  readonly rules?: readonly Rule[];
  readonly spec?: { readonly template?: { readonly spec: PodSpec } };
}

export interface Rule {
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

export interface PodSpec {
  readonly hostNetwork?: boolean;
  readonly dnsPolicy?: string;
  readonly priorityClassName?: string;
  readonly affinity?: object;
  readonly automountServiceAccountToken?: boolean;
  readonly tolerations?: readonly { readonly key: string; readonly effect: string }[];
  readonly containers: readonly {
    readonly args?: readonly string[];
    readonly env?: readonly { readonly name: string; readonly value?: string }[];
    readonly securityContext: { readonly readOnlyRootFilesystem: boolean };
  }[];
}

export const CHART: string = inProject("deploy", "chart");

export const { path: HELM, isThere } = whereHelmIs() as { path: string; isThere: boolean };

/** The values that a release requires. */
export const NEEDED = {
  cloud: { provider: "sandbox" },
  controller: { flags: { "cluster-cidr": "10.1.0.0/16" } },
};

export function helm(command: string, values: object, ...more: readonly string[]) {
  const args = [command, CHART, "--namespace", "cloudwright", "-f", "-", ...more];
  return spawnSync(HELM, args, { encoding: "utf8", input: JSON.stringify(values) });
}

/** Returns every object of a release named cloudwright, hooks included. */
export function render(values: object): readonly Manifest[] {
  const args = ["template", "cloudwright", CHART, "--namespace", "cloudwright", "-f", "-"];
  const text = execFileSync(HELM, args, { encoding: "utf8", input: JSON.stringify(values) });
  return parseAllDocuments(text).flatMap((document) => (document.toJS() as Manifest | null) ?? []);
}

export type Values = Readonly<Record<string, object>>;

/** Returns the required values with these; objects are merged two levels deep. */
export function including(values: Values): Values {
  const merged: Record<string, object> = { ...NEEDED };
  for (const [name, value] of Object.entries(values)) {
    const base: Readonly<Record<string, unknown>> = { ...merged[name] };
    const flags = { ...(base.flags as object), ...(value as { flags?: object }).flags };
    merged[name] = { ...base, ...value, ...(name === "controller" ? { flags } : {}) };
  }
  return merged;
}
