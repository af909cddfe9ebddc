import type { LedgerRecord } from "../../../model/records/record.ts";
import type { Trigger } from "../../../model/run.ts";
import { createManualClock } from "../../../model/testing/manual-clock.ts";
import { type Cidr, parseCidr } from "../../../model/values/cidr.ts";
import { NODE_BACKOFF } from "../../../queue/backoff.ts";
import { createWorkQueue } from "../../../queue/work-queue.ts";
import { startControllerLoop } from "../../../reconcile/controller-loop.ts";
import type { Effect } from "../../../reconcile/effects.ts";
import type { ControllerLoop, RunOutcome } from "../../../reconcile/loop-port.ts";
import { mostUrgent } from "../../../reconcile/triggers.ts";
import { readsOnly } from "../../testing/reads-only.ts";
import { createNodeIpamReconciler } from "../create-node-ipam-reconciler.ts";
import type { PoolLevel } from "../ipam-metrics.ts";
import { nodeIpamModule } from "../module.ts";
import { startNodeIpamController } from "../start-node-ipam-controller.ts";
import { FakeNodes } from "./fake-nodes.ts";

/** `10.120.0.0/22` by /24 by default. */
export interface FixtureShape {
  readonly ranges?: readonly (readonly [range: string, nodeMask: number])[];
  readonly services?: readonly string[];
  readonly nodes?: FakeNodes;
  readonly dryRun?: boolean;
  /** How often the first list of all Nodes fails. */
  readonly failingLists?: number;
  /** Called while the first list of all Nodes is on its way back. */
  readonly meanwhile?: (nodes: FakeNodes) => void;
}

/** One leader's IPAM loop with an API server and a clock of its own. */
export class IpamFixture {
  readonly clock = createManualClock();
  readonly nodes: FakeNodes;
  readonly outcomes: RunOutcome[] = [];
  readonly records: LedgerRecord[] = [];
  readonly effects: Effect[] = [];
  /** What was counted, in order. */
  readonly meter: (readonly [what: string, range: string, count: number])[] = [];
  readonly loop: ControllerLoop;
  pools: () => readonly PoolLevel[] = () => [];
  readonly #stopFeeding: () => void;
  readonly #meanwhile: (nodes: FakeNodes) => void;
  #failingLists: number;

  constructor(shape: FixtureShape = {}) {
    const { ranges = [["10.120.0.0/22", 24]], services = [], nodes, dryRun = false } = shape;
    this.#failingLists = shape.failingLists ?? 0;
    this.#meanwhile = shape.meanwhile ?? (() => undefined);
    this.nodes = nodes ?? new FakeNodes();
    const { clock } = this;
    const { client, informer } = this.nodes;
    const queue = createWorkQueue<Trigger>({
      name: "cidrallocator_node",
      clock,
      backoff: NODE_BACKOFF,
      merge: mostUrgent,
    });
    const reconciler = createNodeIpamReconciler({
      client,
      informer,
      ranges: ranges.map(([range, nodeMask]) => ({ cidr: cidr(range), nodeMask })),
      serviceRanges: services.map(cidr),
      dryRun,
      wake: (name, what) => queue.add(name, { kind: "change", what }, "change"),
      metrics: {
        used: (range, change) => this.meter.push(["used", range, change]),
        tries: (range, count) => this.meter.push(["tries", range, count]),
        readPools: (read) => {
          this.pools = read;
        },
      },
    });
    this.loop = startControllerLoop({
      controller: nodeIpamModule,
      reconciler: readsOnly(reconciler),
      effects: { emit: (effect) => this.effects.push(effect) },
      queue,
      concurrency: 40,
      recorder: { append: (record) => this.records.push(record) },
      clock,
      random: () => 0.5,
      identity: { cluster: "c1", instance: "host_1" },
      dryRun,
      onOutcome: (outcome) => this.outcomes.push(outcome),
    });
    this.#stopFeeding = startNodeIpamController({
      informer,
      queue,
      reconciler,
      clock,
      random: () => 0.5,
      list: () => this.#list(),
      onError: () => undefined,
    });
  }

  /** Advances the clock until the condition holds. */
  async until(holds: () => boolean): Promise<void> {
    for (let turns = 0; !holds(); turns += 1) {
      if (turns > 10_000) throw new Error("it never came to hold");
      await this.clock.advance(turns < 50 ? 0 : 10);
    }
  }

  /** Lets everything happen that is due within this many milliseconds. */
  async settle(ms = 100): Promise<void> {
    for (let turns = 0; turns < 50; turns += 1) await this.clock.advance(ms / 50);
  }

  /** Returns the outcome of a node's last run. */
  lastOf(name: string): RunOutcome | undefined {
    return this.outcomes.findLast(({ object }) => object.name === name);
  }

  async stop(): Promise<void> {
    this.#stopFeeding();
    const stopped = this.loop.stop(0);
    await this.clock.advance(5_000);
    await stopped;
  }

  async #list() {
    if (this.#failingLists > 0) {
      this.#failingLists -= 1;
      throw new Error("the list failed");
    }
    const listed = this.nodes.list();
    this.#meanwhile(this.nodes);
    return listed;
  }
}

export function cidr(text: string): Cidr {
  const parsed = parseCidr(text);
  if (parsed === undefined) throw new Error(`${text} is no range`);
  return parsed;
}
