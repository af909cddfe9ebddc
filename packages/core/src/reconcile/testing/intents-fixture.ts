import { type Intent, type IntentState, mayBecome } from "../../model/actions/intent.ts";
import type { Change } from "../../model/plan.ts";
import type { Reason } from "../../model/reason.ts";
import type { ControlTarget } from "../intents/control-target.ts";
import { startIntents } from "../intents/intents.ts";
import type { ControllerLoopOptions } from "../loop-port.ts";
import type { IntentReport, IntentSource } from "../ports.ts";
import { asLoopOf, LoopFixture, type Thing } from "./loop-fixture.ts";

/** A source that keeps the states like the database, and refuses transitions that the model does not allow. */
class MemorySource implements IntentSource {
  readonly reports: IntentReport[] = [];
  readonly states = new Map<string, IntentState>();
  claimable: boolean = true;
  failures = 0;
  taken: boolean = false;
  #handler: (intent: Intent) => void = () => undefined;

  watch(handler: (intent: Intent) => void): void {
    this.#handler = handler;
  }

  offer(intent: Intent): void {
    this.states.set(intent.id, this.states.get(intent.id) ?? intent.state);
    this.#handler(intent);
  }

  claim(intent: Intent): Promise<boolean> {
    if (this.claimable) this.#move(intent, "claimed");
    return Promise.resolve(this.claimable);
  }

  report(intent: Intent, _claimant: unknown, report: IntentReport): Promise<boolean> {
    if (this.failures > 0) {
      this.failures -= 1;
      return Promise.reject(new Error("database away"));
    }
    if (this.taken) return Promise.resolve(false);
    this.#move(intent, report.state);
    this.reports.push(report);
    return Promise.resolve(true);
  }

  #move({ id }: Intent, to: IntentState): void {
    const from = this.states.get(id) ?? "requested";
    if (!mayBecome(from, to)) throw new Error(`${from} may not become ${to}`);
    this.states.set(id, to);
  }
}

/** Starts a loop that carries out the source's intents. */
export function intentsFixture(
  options: Partial<ControllerLoopOptions<Thing, Change>> = {},
  controls?: ControlTarget,
) {
  const all = new LoopFixture(options);
  const source = new MemorySource();
  const ends = new AbortController();
  const errors: unknown[] = [];
  startIntents({
    source,
    loops: new Map([
      asLoopOf("cloud-node-controller", all.loop),
      asLoopOf("cloud-node-lifecycle-controller", all.loop),
    ]),
    controls,
    claimant: { identity: "host_1", leaseTransitions: 3 },
    clock: all.clock,
    dryRun: options.dryRun ?? false,
    signal: ends.signal,
    onError: (error) => errors.push(error),
  });
  const reported = (count: number, stepMs = 0) =>
    all.until(() => source.reports.length >= count, stepMs);
  return { all, source, ends, errors, reported };
}

/** Returns a retry of `w-1`, unless `more` says otherwise. */
export function intent(more: Partial<Intent> = {}): Intent {
  return {
    id: "i-1",
    cluster: "cluster-1",
    kind: "retry",
    action: { kind: "retry" },
    controller: "cloud-node-controller",
    object: { kind: "Node", name: "w-1", uid: "uid-w-1" },
    why: "the cloud is back",
    actor: "Ada",
    state: "requested",
    requestedAt: 0,
    expiresAt: 600_000,
    runIds: [],
    ...more,
  };
}

/** One hour after the start of a fixture's clock. */
export const UNTIL = Date.parse("2026-01-01T01:00:00Z");
export const NOTHING: Reason = { code: "NothingToDo", what: "the node is held as requested" };
