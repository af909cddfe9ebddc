import type { ProcessSettings } from "@cloudwright/store/views/controllers";

type FlagSetting = ProcessSettings["flags"][number];

/**
 * The line to change among the arguments of a controller: `--kube-api-qps=500`. Of secrets, and of what nothing was given for, it
 * says only where the value goes.
 */
export function flagLine({
  name,
  value,
  isSecret,
}: Pick<FlagSetting, "name" | "value" | "isSecret">) {
  return isSecret || value === "none" ? `--${name}=…` : `--${name}=${asGiven(value)}`;
}

/** Reports have a text in quotation marks and a list in brackets, of which a command line has neither. */
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
