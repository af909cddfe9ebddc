import type { VolumeFacts, VolumeLookup, Volumes } from "@cloudwright/provider-api";
import type { ObjectAction, RequestedAction } from "../../../model/actions/action.ts";
import type { LedgerRecord } from "../../../model/records/record.ts";
import type { Trigger } from "../../../model/run.ts";
import { createManualClock, type ManualClock } from "../../../model/testing/manual-clock.ts";
import { fixed } from "../../../model/values/live-value.ts";
import { NODE_BACKOFF } from "../../../queue/backoff.ts";
import { createWorkQueue } from "../../../queue/work-queue.ts";
import { startControllerLoop } from "../../../reconcile/controller-loop.ts";
import type { ControllerLoop, RetryReport, RunOutcome } from "../../../reconcile/loop-port.ts";
import { mostUrgent } from "../../../reconcile/triggers.ts";
import { readsOnly } from "../../testing/reads-only.ts";
import { createVolumeReconciler } from "../create-volume-reconciler.ts";
import { volumeModule } from "../module.ts";
import { startVolumeController } from "../start-volume-controller.ts";
import { FakeStorage } from "./fake-storage.ts";
import { facts, identify } from "./volume-fixture.ts";

export const DRIFT_PERIOD_MS = 300_000;

export interface VolumeFixtureOptions {
  readonly volumes?: ConstructorParameters<typeof FakeStorage>[0];
  readonly claims?: ConstructorParameters<typeof FakeStorage>[1];
  readonly classes?: ConstructorParameters<typeof FakeStorage>[2];
  /** Undefined if there is no such disk. */
  readonly disk?: VolumeFacts | undefined;
  /** Whether the provider's disks grow; true by default. */
  readonly grows?: boolean;
  readonly dryRun?: boolean;
}

/** The volume loop as in production, with a fake API server, one disk in memory and a clock of its own. */
export class VolumeFixture {
  readonly clock: ManualClock = createManualClock();
  readonly storage: FakeStorage;
  readonly calls: string[] = [];
  readonly events: string[] = [];
  readonly outcomes: RunOutcome[] = [];
  readonly records: LedgerRecord[] = [];
  readonly loop: ControllerLoop;
  readonly stopFeeding: () => void;
  disk: VolumeFacts | undefined;
  /** Called before a disk grows, which it can delay or fail; may be replaced. */
  onGrow: () => Promise<void> = () => Promise.resolve();

  constructor(options: VolumeFixtureOptions = {}) {
    const { clock } = this;
    this.disk = "disk" in options ? options.disk : facts();
    this.storage = new FakeStorage(
      options.volumes ?? [],
      options.claims ?? [],
      options.classes ?? [],
    );
    const { volumes: informer, claims, classes, client } = this.storage;
    const shared = {
      informer,
      claims,
      classes,
      clock,
      volumes: providerOf(options),
      period: fixed(DRIFT_PERIOD_MS),
    };
    const queue = createWorkQueue<Trigger>({
      name: "pvLabels",
      clock,
      backoff: NODE_BACKOFF,
      merge: mostUrgent,
    });
    const reconciler = createVolumeReconciler({
      ...shared,
      client,
      provider: "p",
      disks: {
        for: () => ({
          describe: async (id) => this.#describe(id),
          grow: async (id, sizeGiB) => this.#grow(id, sizeGiB),
        }),
      },
    });
    this.loop = startControllerLoop({
      controller: volumeModule,
      reconciler: readsOnly(reconciler),
      effects: {
        emit: (effect) => {
          if (effect.kind !== "event") return;
          const { target, event } = effect;
          this.events.push(`${target.kind} ${target.name} ${event.type} ${event.reason}`);
        },
      },
      queue,
      concurrency: 4,
      recorder: { append: (record) => void this.records.push(JSON.parse(JSON.stringify(record))) },
      clock,
      random: () => 0.5,
      identity: { cluster: "cluster-1", instance: "host_1" },
      dryRun: options.dryRun ?? false,
      onOutcome: (outcome) => void this.outcomes.push(outcome),
    });
    this.stopFeeding = startVolumeController({ ...shared, queue });
  }

  /** Returns what was done since the previous call, in words. */
  take() {
    return {
      calls: this.calls.splice(0),
      patches: this.storage.patches.splice(0),
      events: this.events.splice(0),
    };
  }

  /** Lets everything that is due now happen. */
  async settle(ms = 50): Promise<this> {
    await this.clock.advance(ms);
    return this;
  }

  last(): RunOutcome {
    const outcome = this.outcomes.at(-1);
    if (outcome === undefined) throw new Error("No run has ended yet.");
    return outcome;
  }

  /** The newest state of the volume. */
  state(name = "pv-1") {
    return this.records.findLast((record) => record.type === "state" && record.name === name) as
      | Extract<LedgerRecord, { type: "state" }>
      | undefined;
  }

  async ask(action: ObjectAction): Promise<RetryReport> {
    const requested: RequestedAction<ObjectAction> = {
      action,
      intentId: "i-1",
      by: "Ada",
      why: "INC-88",
    };
    const report = this.loop.retry("pv-1", { intentId: "i-1", actor: "Ada", requested });
    await this.settle(1_000);
    return report;
  }

  async stop(): Promise<void> {
    this.stopFeeding();
    const stopped = this.loop.stop(0);
    await this.clock.advance(5_000);
    await stopped;
  }

  #describe(id: string): VolumeLookup {
    this.calls.push(`describe ${id}`);
    return this.disk === undefined ? { kind: "absent" } : { kind: "found", facts: this.disk };
  }

  async #grow(id: string, sizeGiB: number): Promise<VolumeFacts> {
    this.calls.push(`grow ${id} ${sizeGiB}`);
    await this.onGrow();
    this.disk = { ...(this.disk ?? facts()), sizeGiB: Math.max(this.disk?.sizeGiB ?? 0, sizeGiB) };
    return this.disk;
  }
}

/** Returns what the loop itself needs from the provider; the rest goes through the directory above. */
function providerOf({ grows = true }: VolumeFixtureOptions): Volumes {
  const throughDirectory = () => Promise.reject(new Error("The directory is to be asked."));
  return { identify, describe: throughDirectory, ...(grows ? { grow: throughDirectory } : {}) };
}
