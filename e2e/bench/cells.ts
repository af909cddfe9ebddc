/** One measurement of `bench nodes`: the scenario, the flags, and the contender. */
export interface Cell {
  readonly scenario: Scenario;
  readonly flags: Flags;
  readonly nodes: number;
  readonly who: Who;
}

/**
 * `wave`: nodes register while the controller runs. `warm`: as many again, on a leader that has done one wave. `lone`: one node does. `idle`: nothing happens for longer than a
 * status round. `kill`, `term`: the leader of two replicas ends. `routes`: nodes with pod ranges register and get their routes.
 */
export const SCENARIOS = ["wave", "warm", "lone", "idle", "kill", "term", "routes"] as const;
export type Scenario = (typeof SCENARIOS)[number];

/** `throttled` is `tuned` with a cloud that refuses more than 20 calls a second. */
export const FLAGS = ["default", "tuned", "throttled"] as const;
export type Flags = (typeof FLAGS)[number];

/** `headless`: without a database. `ledger`: with every run in PostgreSQL. */
export const CONTENDERS = ["upstream", "headless", "ledger"] as const;
export type Who = (typeof CONTENDERS)[number];

/** The page size of the baseline's cloud, in instances. */
export const PAGE = 200;
/** Longer than one five-minute round, like the baseline's own measurement. */
export const IDLE_SECONDS = 330;
/** How long the baseline's program watches nodes after they have their routes. */
export const IDLE_SECONDS_OF_ROUTES = 60;

const THROTTLED_CALLS_PER_SECOND = 20;
const FAILOVER_NODES = 50;

export interface Choice {
  readonly scenarios: readonly Scenario[];
  readonly nodes: readonly number[];
  readonly flags: readonly Flags[];
  readonly who: readonly Who[];
}

/** Returns upstream's and our cells one after the other for each size and set of flags, so that both run under the same load. */
export function cellsOf(choice: Choice): readonly Cell[] {
  return choice.scenarios.flatMap((scenario) => cellsOfScenario(scenario, choice));
}

function cellsOfScenario(scenario: Scenario, { nodes, flags, who }: Choice): readonly Cell[] {
  const [smallest, largest] = [Math.min(...nodes), Math.max(...nodes)];
  switch (scenario) {
    case "wave":
      return nodes.flatMap((count) =>
        flags.flatMap((set) => who.map((one) => cell({ nodes: count, flags: set, who: one }))),
      );
    case "warm":
      return nodes.flatMap((count) =>
        who.map((one) => cell({ scenario, nodes: count, flags: "tuned", who: one })),
      );
    case "lone":
      return ours(who).map((one) => cell({ scenario, nodes: 1, who: one }));
    case "idle":
      return who.map((one) => cell({ scenario, nodes: largest, flags: "tuned", who: one }));
    case "kill":
    case "term":
      return who.map((one) => cell({ scenario, nodes: FAILOVER_NODES, who: one }));
    case "routes":
      return flags
        .filter((set) => set !== "throttled")
        .flatMap((set) =>
          who.map((one) => cell({ scenario, nodes: smallest, flags: set, who: one })),
        );
  }
}

/** Upstream reads each node individually, whatever the number: there is nothing to compare. */
function ours(who: readonly Who[]): readonly Who[] {
  return who.filter((one) => one !== "upstream");
}

function cell(given: Partial<Cell> & Pick<Cell, "nodes" | "who">): Cell {
  return { scenario: "wave", flags: "default", ...given };
}

/** Returns the arguments of the baseline's program for this cell. */
export function baselineArguments({ scenario, flags, nodes }: Cell): readonly string[] {
  const profile = ["--profile", flags === "default" ? "default" : "tuned"];
  const rate = flags === "throttled" ? ["--rate", String(THROTTLED_CALLS_PER_SECOND)] : [];
  return ["--nodes", String(nodes), ...profile, ...rate, ...SCENARIO_ARGUMENTS[scenario]];
}

const SCENARIO_ARGUMENTS: Readonly<Record<Scenario, readonly string[]>> = {
  wave: [],
  warm: [],
  lone: [],
  idle: ["--steady", `${IDLE_SECONDS}s`],
  kill: ["--scenario", "failover", "--replicas", "2", "--signal", "KILL"],
  term: ["--scenario", "failover", "--replicas", "2", "--signal", "TERM"],
  routes: ["--scenario", "routes"],
};

export function cellName({ scenario, flags, nodes, who }: Cell): string {
  return `${scenario}-${nodes}-${flags}-${who}`;
}

/** Returns upstream's cell that this one is compared with. */
export function upstreamOf(cell: Cell): Cell {
  return { ...cell, who: "upstream" };
}
