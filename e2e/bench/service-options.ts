import { parseArgs } from "node:util";
import { BadOption, count, listed } from "./options.ts";
import {
  SERVICE_FLAGS,
  SERVICE_SCENARIOS,
  SERVICE_WHO,
  type ServiceChoice,
} from "./service-cells.ts";

export interface ServiceBenchOptions {
  readonly choice: ServiceChoice;
  readonly runs: number;
  /** An earlier batch whose cells of upstream are taken instead of measuring them. */
  readonly upstreamFrom: string | undefined;
  readonly resultsDir: string;
}

/** What follows `npm run bench --`, `services` first. Throws BadOption. */
export function readServiceOptions(
  argv: readonly string[],
  resultsDir: string,
): ServiceBenchOptions {
  const { values } = parse(argv);
  const choice = {
    scenarios: listed("--scenario", values.scenario, SERVICE_SCENARIOS) ?? SERVICE_SCENARIOS,
    services: values.services.split(",").map((text) => count("--services", text)),
    flags: listed("--profile", values.profile, SERVICE_FLAGS) ?? SERVICE_FLAGS,
    who: listed("--who", values.who, SERVICE_WHO) ?? SERVICE_WHO,
  };
  const upstreamFrom = values["upstream-from"];
  return { choice, runs: count("--runs", values.runs), upstreamFrom, resultsDir };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: argv.slice(1),
      options: {
        scenario: { type: "string" },
        services: { type: "string", default: "200,1000" },
        profile: { type: "string" },
        who: { type: "string" },
        runs: { type: "string", default: "1" },
        "upstream-from": { type: "string" },
      },
    });
  } catch (error) {
    throw new BadOption(error instanceof Error ? error.message : String(error));
  }
}
