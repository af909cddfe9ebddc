import { type ControllerName, controllerOf } from "@cloudwright/core/model/controller-names";
import { MODULE_NAMES } from "../modules.ts";
import { FLAG_NAMES, type FlagName, flagOf } from "./definitions/all.ts";
import { gateLines } from "./feature-gates.ts";
import { SECTIONS, type Section } from "./flag.ts";

/** Returns the text of `cloudwright controller --help`: upstream's sections in upstream's order, then ours. */
export function controllerHelp(): string {
  return [
    "Runs the control loops that join a Kubernetes cluster to its cloud.",
    "",
    "Usage: cloudwright controller --cloud-provider=NAME [flags]",
    "",
    ...SECTIONS.flatMap(section),
    "Controllers (--controllers), with their other names:",
    ...MODULE_NAMES.map(controllerLine),
    "",
    "Feature gates (--feature-gates); they have no effect here except where noted:",
    ...gateLines(),
    "",
    "  -h, --help                show this help",
    "      --version             print the version; --version=raw prints it as JSON",
    "",
  ].join("\n");
}

function section(name: Section): string[] {
  const flags = FLAG_NAMES.filter((flag) => flagOf(flag).section === name);
  return [`${name} flags:`, "", ...flags.flatMap(flagLines), ""];
}

function flagLines(name: FlagName): string[] {
  const { kind, initial, help, idle } = flagOf(name);
  const label = kind.label === "" ? "" : ` ${kind.label}`;
  const notes = [
    ` (default ${kind.format(initial)})`,
    idle === undefined ? "" : ` No effect: ${idle}.`,
  ];
  const dashes = name.length === 1 ? `-${name}, --${name}` : `--${name}`;
  return [`      ${dashes}${label}`, `            ${help}${notes.join("")}`];
}

function controllerLine(name: ControllerName): string {
  const { aliases, enabledByDefault } = controllerOf(name);
  const others = aliases.length === 0 ? "" : ` (${aliases.join(", ")})`;
  return `  ${name}${others}${enabledByDefault ? "" : ", off by default"}`;
}
