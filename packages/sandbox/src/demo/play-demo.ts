import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { type CloudAddress, type CloudCall, callCloud } from "../cloud/client.ts";
import { faultsSchemaWith, ORDINARY_QUOTAS } from "../cloud/faults/fault-rules.ts";
import { serveUntilStopped } from "../process/serve-until-stopped.ts";

export interface DemoOptions {
  readonly cloud: CloudAddress;
  /** The prefix of the machines' names, followed by a number: the kubelets' prefix, so that each gets a kubelet. */
  readonly namePrefix: string;
  /** The factor by which it runs faster than usual; 1 by default. */
  readonly pace?: number | undefined;
  readonly signal: AbortSignal;
  readonly log: (message: string) => void;
}

/** The label by which the demo recognises its own machines; it touches no others. */
const MARK = { key: "demo", value: "visitor" } as const;

/**
 * Simulates activity in the sandbox, so that a visitor sees the product work: machines are added and removed, one is stopped, lookups of
 * one fail for a while. Starts again after a restart. Ends with the signal; calls that fail because of faults are retried.
 */
export async function playDemo(options: DemoOptions): Promise<void> {
  const { signal, log } = options;
  await untilDone(() => clearDemo(options), options);
  for (const step of steps(options.namePrefix)) {
    await wait(step.afterMs / (options.pace ?? 1), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    await untilDone(() => play(step, options), options);
    log(`${step.name}: ${step.does}`);
  }
}

const AGAIN_AFTER_MS = 1_000;

async function untilDone(work: () => Promise<void>, { signal, log }: DemoOptions): Promise<void> {
  while (!signal.aborted) {
    try {
      await work();
      return;
    } catch (error) {
      if (!signal.aborted) log(`The cloud refuses the demonstration, trying again: ${error}`);
    }
    await wait(AGAIN_AFTER_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function play(step: Fixture, options: DemoOptions): Promise<void> {
  switch (step.does) {
    case "join":
      return join(step, options);
    case "hide":
      return failLookups([step.name], options);
    case "show":
      return failLookups([], options);
    case "stop":
    case "start":
      return power(step, options);
    case "leave":
      return leave(step.name, options);
  }
}

/** A lost answer must not lead to a second machine of the same name. */
async function join({ name, zone }: Fixture, options: DemoOptions): Promise<void> {
  if ((await ownMachines(options)).some((machine) => machine.name === name)) return;
  const labels = { [MARK.key]: MARK.value };
  await call(options, { method: "POST", path: "/v1/instances", body: { name, zone, labels } });
}

async function power({ name, does }: Fixture, options: DemoOptions): Promise<void> {
  for (const { id } of await ownMachines(options, name)) {
    await call(options, { method: "POST", path: `/v1/instances/${id}/${does}` });
  }
}

async function leave(name: string, options: DemoOptions): Promise<void> {
  for (const { id } of await ownMachines(options, name)) {
    await call(options, { method: "DELETE", path: `/v1/instances/${id}` });
  }
}

/** Makes reads that name these machines fail; other rules stay. */
async function failLookups(names: readonly string[], options: DemoOptions): Promise<void> {
  const answer = await call(options, { method: "GET", path: "/admin/faults" });
  const faults = faultsSchemaWith(ORDINARY_QUOTAS).parse(answer);
  const others = faults.rules.filter((rule) => !isOurs(rule, options));
  const ours = names.map((instance) => ({ method: "GET", instance, status: 503 }));
  const body = { ...faults, rules: [...others, ...ours] };
  await call(options, { method: "PUT", path: "/admin/faults", body });
}

function isOurs(rule: { readonly instance?: string | undefined }, options: DemoOptions): boolean {
  const [, number] = (rule.instance ?? "").split(options.namePrefix);
  return /^1\d\d+$/.test(number ?? "");
}

/** Removes what an earlier demo left behind. */
async function clearDemo(options: DemoOptions): Promise<void> {
  await failLookups([], options);
  for (const { id } of await ownMachines(options)) {
    await call(options, { method: "DELETE", path: `/v1/instances/${id}` });
  }
}

const pageSchema = z.object({
  items: z.array(
    z.object({ id: z.string(), name: z.string(), labels: z.record(z.string(), z.string()) }),
  ),
  next: z.string().nullable(),
});
type Machine = z.infer<typeof pageSchema>["items"][number];

/** Without a name the whole list is read, which faults of a single machine do not affect. */
async function ownMachines(options: DemoOptions, name?: string): Promise<readonly Machine[]> {
  const found: Machine[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query = new URLSearchParams({ limit: "500", ...(cursor === "" ? {} : { cursor }) });
    const path = `/v1/instances?${query}`;
    const page = pageSchema.parse(await call(options, { method: "GET", path }));
    found.push(...page.items.filter(({ labels }) => labels[MARK.key] === MARK.value));
    cursor = page.next;
  }
  return name === undefined ? found : found.filter((machine) => machine.name === name);
}

function call({ cloud, signal }: DemoOptions, more: Omit<CloudCall, "signal">): Promise<unknown> {
  return callCloud(cloud, { ...more, signal });
}

/** One step of the demo, about one machine. */
interface Fixture {
  /** Milliseconds after the previous step. */
  readonly afterMs: number;
  readonly does: "join" | "leave" | "stop" | "start" | "hide" | "show";
  readonly name: string;
  readonly zone: string;
}

/** Far from the numbers of machines that the sandbox or a user creates. */
const FIRST_NUMBER = 101;
const ZONES = 3;

/**
 * Yields endless steps. In each round a machine joins whose lookups fail for a while, and the previous one is stopped, restarted and
 * removed. A round takes two and a half minutes, so that at most four nodes are deleted within the deletion guard's ten; the first three
 * events come within 15 seconds.
 */
export function* steps(namePrefix: string): Generator<Fixture, never> {
  const machine = (round: number) => ({
    name: `${namePrefix}${FIRST_NUMBER + round}`,
    zone: `region-1${String.fromCharCode("a".charCodeAt(0) + (round % ZONES))}`,
  });
  yield { afterMs: 2_000, does: "join", ...machine(0) };
  for (let round = 1; ; round++) {
    const old = machine(round - 1);
    const young = machine(round);
    yield { afterMs: 4_000, does: "hide", ...young };
    yield { afterMs: 0, does: "join", ...young };
    yield { afterMs: 8_000, does: "stop", ...old };
    yield { afterMs: 35_000, does: "show", ...young };
    yield { afterMs: 15_000, does: "start", ...old };
    yield { afterMs: 40_000, does: "leave", ...old };
    yield { afterMs: 48_000, does: "show", ...young };
  }
}

export interface DemoCommandOptions {
  readonly cloud: CloudAddress;
  readonly namePrefix: string;
}

/** Runs `cloudwright sandbox demo` until it is stopped. */
export async function runDemoCommand(options: DemoCommandOptions): Promise<void> {
  const over = new AbortController();
  const log = (message: string) => void process.stderr.write(`${message}\n`);
  const played = playDemo({ ...options, signal: over.signal, log });
  await serveUntilStopped({}, async () => {
    over.abort();
    await played;
  });
}
