import type { FlagName, FlagValues } from "./definitions/all.ts";
import { isGateOn } from "./feature-gates.ts";

/** Checks upstream's rules for combinations of its logging options, one sentence each (spec/00 §5.7). */
export function checkLogging(flags: FlagValues): readonly string[] {
  return [...checkModules(flags), ...checkBuffers(flags), ...checkAlpha(flags)];
}

const BUFFERS = ["log-text-info-buffer-size", "log-json-info-buffer-size"] as const;
const ALPHA = [
  "log-text-split-stream",
  "log-json-split-stream",
  ...BUFFERS,
] as const satisfies readonly FlagName[];

function checkModules(flags: FlagValues): readonly string[] {
  const modules = flags.vmodule.split(",").filter((each) => each !== "");
  const wrong = modules.filter((each) => !/^[^=\s]+=\d+$/.test(each));
  if (wrong.length > 0) {
    return wrong.map(
      (each) => `--vmodule has "${each}": it must be a pattern and a level such as gopher*=3.`,
    );
  }
  return modules.length > 0 && flags["logging-format"] !== "text"
    ? ["--vmodule works only with --logging-format=text: remove one of the two flags."]
    : [];
}

function checkBuffers(flags: FlagValues): readonly string[] {
  return BUFFERS.filter((name) => !/^\d+(\.\d+)?([kMGT]|[KMGT]i)?$/.test(flags[name])).map(
    (name) => `--${name} is "${flags[name]}": it must be a number of bytes such as 0 or 64Ki.`,
  );
}

function checkAlpha(flags: FlagValues): readonly string[] {
  if (isGateOn(flags["feature-gates"], "LoggingAlphaOptions")) return [];
  return ALPHA.filter((name) => !["0", false].includes(flags[name])).map(
    (name) =>
      `--${name} is alpha: add --feature-gates=LoggingAlphaOptions=true, or remove the flag.`,
  );
}
