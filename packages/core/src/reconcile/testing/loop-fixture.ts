import { carriesOut, type ObjectAction, type RequestedAction } from "../../model/actions/action.ts";
import type { ControllerName } from "../../model/controller-names.ts";
import { type ObjectRef, objectName } from "../../model/object-ref.ts";
import type { Change, Next, Plan } from "../../model/plan.ts";
import type { LedgerRecord } from "../../model/records/record.ts";
import type { Trigger } from "../../model/run.ts";
import { createManualClock, type ManualClock } from "../../model/testing/manual-clock.ts";
import { sha256Hex } from "../../model/values/hash.ts";
import type { Backoff } from "../../queue/backoff.ts";
import { createWorkQueue, type MeasuredWorkQueue } from "../../queue/work-queue.ts";
import { startControllerLoop } from "../controller-loop.ts";
import type { Effect } from "../effects.ts";
import type {
  ControllerLoop,
  ControllerLoopOptions,
  IntentTarget,
  RunOutcome,
} from "../loop-port.ts";
import type { Reconciler, RunContext } from "../reconciler.ts";
import { mostUrgent } from "../triggers.ts";

/** One object of the fixture: the changes that its plan has until they are applied, and its `next` after that. */
export interface Thing {
  uid: string;
  wanted: Change[];
  next: Next;
  /** Whether its plan asks for another one. */
  again?: true | undefined;
  /** The action of its last observation. */
  requested?: RequestedAction<ObjectAction> | undefined;
}

export const SETTLED: Next = { kind: "settled", reason: { code: "InStep" } };

export function change(name: string, kind: Change["kind"] = "node.initialise"): Change {
  return {
    kind,
    system: "cluster",
    target: { kind: "Node", name, uid: `uid-${name}` },
    before: { done: false },
    after: { done: true },
    reason: { code: "Initialised" },
  };
}

/** A set of objects, a reconciler for them, and a loop with a clock of its own. */
export class LoopFixture {
  readonly clock: ManualClock;
  readonly things = new Map<string, Thing>();
  readonly records: LedgerRecord[] = [];
  readonly effects: Effect[] = [];
  readonly outcomes: RunOutcome[] = [];
  readonly observed: { readonly key: string; readonly trigger: Trigger }[] = [];
  readonly queue: MeasuredWorkQueue<Trigger>;
  readonly loop: ControllerLoop;
  /** Tests replace these to make the reconciler misbehave. */
  onObserve: (key: string, run: RunContext) => Promise<void> = () => Promise.resolve();
  onApply: (change: Change, run: RunContext) => Promise<void> = () => Promise.resolve();
  onConclude: () => void = () => undefined;
  onKeyOf: (object: ObjectRef) => string = objectName;
  onSettled: (key: string, trigger: Trigger) => boolean = () => false;
  /** Returns the plan for an action; undefined for the plan without an action. */
  onRequest: (requested: RequestedAction<ObjectAction>, thing: Thing) => Plan | undefined = () =>
    undefined;

  constructor(
    options: Partial<ControllerLoopOptions<Thing, Change>> = {},
    clock: ManualClock = createManualClock(),
  ) {
    this.clock = clock;
    this.queue = createWorkQueue<Trigger>({
      name: "Nodes",
      clock,
      backoff: BACKOFF,
      merge: mostUrgent,
    });
    this.loop = startControllerLoop({
      controller: { name: "cloud-node-controller" },
      reconciler: this.#reconciler(),
      queue: this.queue,
      concurrency: 2,
      observing: 4,
      effects: { emit: (effect) => this.effects.push(effect) },
      recorder: { append: (record) => this.records.push(structuredClone(record)) },
      clock,
      random: seededRandom(),
      identity: { cluster: "cluster-1", instance: "host_1" },
      onOutcome: (outcome) => this.outcomes.push(outcome),
      ...options,
    });
  }

  /** Adds an object. */
  thing(name: string, wanted: Change[] = [], next: Next = SETTLED): Thing {
    const thing = { uid: `uid-${name}`, wanted, next };
    this.things.set(name, thing);
    return thing;
  }

  /** Makes the key due as if its object had changed, and lets everything happen that needs no time. */
  async touch(name: string): Promise<void> {
    this.queue.add(name, { kind: "change", what: "updated" });
    await this.clock.advance(0);
  }

  /**
   * Advances the clock in steps until the condition holds. Hashes are computed on other threads, so the number of event
   * loop turns in a run is unknown: time does not advance before those in progress are done.
   */
  async until(holds: () => boolean, stepMs = 0): Promise<void> {
    for (let startThrottle = 0; !holds(); startThrottle++) {
      if (startThrottle > 10_000) throw new Error("it never came to hold");
      if (stepMs > 0) await hashesDone();
      await this.clock.advance(stepMs);
    }
  }

  of<Type extends LedgerRecord["type"]>(type: Type): Extract<LedgerRecord, { type: Type }>[] {
    return this.records.filter(
      (record): record is Extract<LedgerRecord, { type: Type }> => record.type === type,
    );
  }

  get last(): RunOutcome | undefined {
    return this.outcomes.at(-1);
  }

  #reconciler(): Reconciler<Thing, Change, undefined> {
    return {
      noMemory: undefined,
      object: (name) => {
        const uid = this.things.get(name)?.uid;
        return { kind: "Node", name, ...(uid === undefined ? {} : { uid }) };
      },
      keyOf: (object) => this.onKeyOf(object),
      isSettled: (key, { trigger }) => this.onSettled(key, trigger),
      observe: async (key, run) => {
        this.observed.push({ key, trigger: run.trigger });
        await this.onObserve(key, run);
        const thing = this.things.get(key);
        if (thing !== undefined) thing.requested = run.requested;
        return thing;
      },
      plan: (thing) => {
        const { wanted, next, requested } = thing;
        const action = requested === undefined ? undefined : this.onRequest(requested, thing);
        const again = thing.again === undefined ? {} : { again: thing.again };
        return action ?? { changes: [...wanted], notTaken: [], next, ...again };
      },
      isInBulk: ({ changes }) => changes.every(({ kind }) => kind === "balancer.members"),
      apply: async (wanted, thing, run) => {
        await this.onApply(wanted, run);
        thing.wanted = thing.wanted.filter((other) => other !== wanted);
      },
      conclude: ({ observed: thing, memory, result: { runId, endedAt } }) => {
        this.onConclude();
        const name = [...this.things].find(([, other]) => other === thing)?.[0] ?? "?";
        const facts = { addresses: [], labels: {}, asOf: endedAt };
        const view = { uid: thing.uid, drift: "inStep", cloud: facts, detail: { runId } } as const;
        return { memory, effects: [], view: { name, ...view } };
      },
    };
  }
}

/** Makes one hash after another, as many as there may be hashing threads: each is done after those before it. */
async function hashesDone(): Promise<void> {
  for (let count = 0; count < 4; count++) await sha256Hex("");
}

const BACKOFF: Backoff = { baseMs: 1_000, maxMs: 300_000 };

function seededRandom(): () => number {
  let state = 1;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Returns the loop as another controller's, which carries out what the registry has under that name. */
export function asLoopOf(
  name: ControllerName,
  loop: IntentTarget,
): readonly [string, IntentTarget] {
  const target: IntentTarget = {
    carriesOut: (action, kind) => carriesOut({ name }, action, kind),
    object: (key) => loop.object(key),
    keyOf: (object) => loop.keyOf(object),
    retry: (key, request) => loop.retry(key, request),
    preview: (key, options) => loop.preview(key, options),
  };
  return [name, target];
}
