import type { Who } from "./cells.ts";

/** One measurement of `bench services`. */
export interface ServiceCell {
  readonly scenario: ServiceScenario;
  readonly flags: ServiceFlags;
  readonly services: number;
  readonly who: Who;
}

/**
 * With the baseline's program, for upstream and us: `create`: Services are created and deleted; `fanout`: one node joins all load
 * balancers and one leaves. With the sandbox cloud, which takes 2 s to create a load balancer: `provisioning`: Services are
 * created; `throttled`: the same with a cloud that refuses more than 40 calls a second; `surge`: 500 nodes join within 10 s.
 */
export const SERVICE_SCENARIOS = [
  "create",
  "fanout",
  "provisioning",
  "throttled",
  "surge",
] as const;
export type ServiceScenario = (typeof SERVICE_SCENARIOS)[number];
export const SERVICE_FLAGS = ["default", "tuned"] as const;
export type ServiceFlags = (typeof SERVICE_FLAGS)[number];

export interface ServiceChoice {
  readonly scenarios: readonly ServiceScenario[];
  readonly services: readonly number[];
  readonly flags: readonly ServiceFlags[];
  readonly who: readonly Who[];
}

const NODES = 50;
export const PROVISIONING_MS = 2_000;
export const CALLS_A_SECOND = 40;
export const SURGE_NODES = 500;
export const SURGE_MS = 10_000;

/** Returns upstream's and our cells one after the other for each size and set of flags, so that both run under the same load. */
export function serviceCellsOf(choice: ServiceChoice): readonly ServiceCell[] {
  return choice.scenarios.flatMap((scenario) => cellsOfScenario(scenario, choice));
}

function cellsOfScenario(
  scenario: ServiceScenario,
  { services, flags, who }: ServiceChoice,
): readonly ServiceCell[] {
  const smallest = Math.min(...services);
  if (scenario === "create")
    return services.flatMap((count) => each({ scenario, services: count }, flags, who));
  if (scenario === "fanout") return each({ scenario, services: smallest }, flags, who);
  const ours = who.filter((one) => one !== "upstream");
  return each({ scenario, services: smallest }, ["default"], ours);
}

function each(
  cell: Pick<ServiceCell, "scenario" | "services">,
  flags: readonly ServiceFlags[],
  who: readonly Who[],
): readonly ServiceCell[] {
  return flags.flatMap((set) => who.map((one) => ({ ...cell, flags: set, who: one })));
}

export function isByBaseline({ scenario }: ServiceCell): boolean {
  return scenario === "create" || scenario === "fanout";
}

/** Returns the arguments of the baseline's program for this cell. */
export function serviceArguments({ scenario, services, flags }: ServiceCell): readonly string[] {
  return [
    ...["--scenario", scenario === "create" ? "services" : "fanout"],
    ...["--services", String(services), "--nodes", String(NODES), "--profile", flags],
  ];
}

export function serviceCellName({ scenario, services, flags, who }: ServiceCell): string {
  return `${scenario}-${services}-${flags}-${who}`;
}

/**
 * Returns the minimum duration of a cell with the sandbox cloud, in seconds: until the last Service is created or the throttle
 * lets its call through, whichever is later, plus the cloud's time to create its load balancer.
 */
export function floorSeconds({ scenario, services }: ServiceCell, createSeconds: number): number {
  const refused = Math.max(0, services - CALLS_A_SECOND) / CALLS_A_SECOND;
  const throttle = scenario === "throttled" ? refused : 0;
  return Math.max(createSeconds, throttle) + PROVISIONING_MS / 1_000;
}
