import { resolve } from "node:path";
import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import type { BridgeBenchOptions } from "./bridge/bridge.ts";
import { type Choice, CONTENDERS, FLAGS, SCENARIOS } from "./cells.ts";
import type { NodesOptions } from "./nodes.ts";
import { SERVICE_FLAGS, SERVICE_SCENARIOS } from "./service-cells.ts";
import type { ServiceBenchOptions } from "./services.ts";
import type { MemoryBenchOptions } from "./web/memory.ts";
import type { WebBenchOptions } from "./web/web.ts";

export const USAGE = `usage: npm run bench -- nodes [options]
  --quick               500 nodes with tuned flags, one node, and the leader's end: about 3 minutes
  --scenario LIST       of ${SCENARIOS.join(", ")}; all but routes unless given
  --nodes LIST          sizes of the waves (500,2000,5000)
  --profile LIST        of ${FLAGS.join(", ")}; all of them unless given
  --who LIST            of ${CONTENDERS.join(", ")}; all of them unless given
  --runs N              repetitions; the median of each number is shown, with its range (1)
  --upstream-from FILE  take upstream's cells from an earlier batch, such as bench-results/nodes.json
                        or e2e/bench/upstream-published.json, where it has them
  --resume              keep the cells of the last batch, measure what is missing
  --controller FILE     measure another checkout's apps/controller/bin/cloudwright.mjs instead of this one's
  --count               with --scenario warm: three waves more, in which the controller counts what each node costs it
       npm run bench -- routes [--nodes N] [--profile LIST] [--who LIST] [--runs N] [--upstream-from FILE] [--resume]
       npm run bench -- services [--scenario LIST] [--services LIST] [--profile LIST] [--who LIST] [--runs N]
                [--upstream-from FILE]
       npm run bench -- bridge [--nodes LIST] [--runs N]    a Go provider process beside the plug-in (500,2000)
       npm run bench -- kube-transport [--nodes N]
       npm run bench -- ledger
       npm run bench -- pages [--nodes N]    the Nodes page in Chromium, on the dashboard of npm run build
       npm run bench -- memory [--nodes N] [--minutes N]    what live pages take of Chromium's memory (5000, 60)
       npm run bench -- web [--clusters N] [--nodes N] [--services N] [--runs N] [--audit-entries N] [--rounds N]
                [--keep FOLDER] [--only TEXT]
                             every page and filter on a large ledger (10, 5000, 2000, 5000000, 1000000, 60), kept in FOLDER
                             for the next time; with TEXT only the requests whose title has it, and nothing in Chromium`;

/** An invalid command line; the message says why. */
export class BadOption extends Error {}

export type BenchOptions = NodesOptions;

const QUICK: Choice = {
  scenarios: ["wave", "lone", "kill", "term"],
  nodes: [500],
  flags: ["tuned"],
  who: CONTENDERS,
};
const EVERYTHING: Choice = {
  scenarios: SCENARIOS.filter((scenario) => scenario !== "routes"),
  nodes: [500, 2_000, 5_000],
  flags: FLAGS,
  who: CONTENDERS,
};

/** Throws BadOption. */
export function readOptions(
  argv: readonly string[],
  { names, resultsDir }: { names: readonly string[]; resultsDir: string },
): { readonly name: string; readonly options: BenchOptions } {
  const { values, positionals } = parse(argv, {
    ...COMMON,
    quick: { type: "boolean", default: false },
    nodes: { type: "string" },
    resume: { type: "boolean", default: false },
    controller: { type: "string" },
    count: { type: "boolean", default: false },
  });
  const name = positionals[0] ?? "";
  if (positionals.length !== 1 || !names.includes(name))
    throw new BadOption(`The name of one bench is needed: ${names.join(", ")}.`);
  const preset = values.quick ? QUICK : EVERYTHING;
  const choice = {
    scenarios: listed("--scenario", values.scenario, SCENARIOS) ?? preset.scenarios,
    nodes: values.nodes?.split(",").map((text) => count("--nodes", text)) ?? preset.nodes,
    flags: listed("--profile", values.profile, FLAGS) ?? preset.flags,
    who: listed("--who", values.who, CONTENDERS) ?? preset.who,
  };
  const options = {
    choice,
    runs: count("--runs", values.runs),
    upstreamFrom: values["upstream-from"],
    resume: values.resume,
    controller: values.controller === undefined ? undefined : resolve(values.controller),
    isCounting: values.count,
    resultsDir,
  };
  return { name, options };
}

/** Parses what follows `npm run bench --`, starting with `services`. Throws BadOption. */
export function readServiceOptions(
  argv: readonly string[],
  resultsDir: string,
): ServiceBenchOptions {
  const services = { type: "string", default: "200,1000" } as const;
  const { values } = parse(argv.slice(1), { ...COMMON, services }, false);
  const choice = {
    scenarios: listed("--scenario", values.scenario, SERVICE_SCENARIOS) ?? SERVICE_SCENARIOS,
    services: values.services.split(",").map((text) => count("--services", text)),
    flags: listed("--profile", values.profile, SERVICE_FLAGS) ?? SERVICE_FLAGS,
    who: listed("--who", values.who, CONTENDERS) ?? CONTENDERS,
  };
  const upstreamFrom = values["upstream-from"];
  return { choice, runs: count("--runs", values.runs), upstreamFrom, resultsDir };
}

/** Parses what follows `npm run bench --`, starting with `bridge`. Throws BadOption. */
export function readBridgeOptions(argv: readonly string[]): BridgeBenchOptions {
  const { values } = parse(argv.slice(1), BRIDGE, false);
  return {
    nodes: values.nodes.split(",").map((text) => count("--nodes", text)),
    runs: count("--runs", values.runs),
  };
}

const BRIDGE = {
  nodes: { type: "string", default: "500,2000" },
  runs: { type: "string", default: "1" },
} as const;

/** Parses what follows `npm run bench --`, starting with `memory`. Throws BadOption. */
export function readMemoryOptions(argv: readonly string[]): MemoryBenchOptions {
  const { values } = parse(argv.slice(1), MEMORY, false);
  return {
    nodes: count("--nodes", values.nodes),
    minutes: count("--minutes", values.minutes),
  };
}

const MEMORY = {
  nodes: { type: "string", default: "5000" },
  minutes: { type: "string", default: "60" },
} as const;

/** Parses what follows `npm run bench --`, starting with `web`. Throws BadOption. */
export function readWebOptions(argv: readonly string[]): WebBenchOptions {
  const { values } = parse(argv.slice(1), WEB, false);
  return {
    size: {
      clusters: count("--clusters", values.clusters),
      nodes: count("--nodes", values.nodes),
      services: count("--services", values.services),
      runs: count("--runs", values.runs),
      auditEntries: count("--audit-entries", values["audit-entries"]),
    },
    rounds: count("--rounds", values.rounds),
    keep: values.keep === undefined ? undefined : resolve(values.keep),
    only: values.only,
  };
}

const WEB = {
  clusters: { type: "string", default: "10" },
  nodes: { type: "string", default: "5000" },
  services: { type: "string", default: "2000" },
  runs: { type: "string", default: "5000000" },
  "audit-entries": { type: "string", default: "1000000" },
  // With fewer rounds, the 95th percentile would be the longest or the second longest.
  rounds: { type: "string", default: "60" },
  keep: { type: "string" },
  only: { type: "string" },
} as const;

const COMMON = {
  scenario: { type: "string" },
  profile: { type: "string" },
  who: { type: "string" },
  runs: { type: "string", default: "1" },
  "upstream-from": { type: "string" },
} as const;

function parse<const Options extends ParseArgsOptionsConfig>(
  argv: readonly string[],
  options: Options,
  allowPositionals = true,
) {
  try {
    return parseArgs({ args: [...argv], allowPositionals, options });
  } catch (error) {
    throw new BadOption(error instanceof Error ? error.message : String(error));
  }
}

function listed<T extends string>(
  option: string,
  text: string | undefined,
  known: readonly T[],
): readonly T[] | undefined {
  return text?.split(",").map((word) => {
    const found = known.find((one) => one === word);
    if (found !== undefined) return found;
    throw new BadOption(`${option}: "${word}" is none of ${known.join(", ")}.`);
  });
}

function count(option: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new BadOption(`${option}: "${text}" is no whole number above 0.`);
}
