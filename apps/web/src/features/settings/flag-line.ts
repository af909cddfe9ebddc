import type { ProcessSettings } from "@cloudwright/store/views/controllers";

type FlagSetting = ProcessSettings["flags"][number];

/**
 * Returns the line to change in a controller's arguments: `--kube-api-qps=500`. For secrets and unset flags, it only shows where the value
 * goes.
 */
export function flagLine({
  name,
  value,
  isSecret,
}: Pick<FlagSetting, "name" | "value" | "isSecret">) {
  return isSecret || value === "none" ? `--${name}=…` : `--${name}=${asGiven(value)}`;
}

/** Reports have quotation marks around texts and brackets around lists, which a command line does not. */
function asGiven(value: string): string {
  if (value.startsWith('"')) return quoted(value);
  return /^\[.*\]$/.test(value) ? value.slice(1, -1) : value;
}

function quoted(value: string): string {
  try {
    return String(JSON.parse(value));
  } catch {
    return value;
  }
}
