import type { GuardedNode, GuardStatus } from "../../model/controls.ts";
import type { GuardPolicy } from "../../model/settings/setting-kinds.ts";
import type { Clock } from "../../model/time.ts";
import type { LiveValue } from "../../model/values/live-value.ts";
import type { DeletionGuard, GuardVerdict } from "../deletion-guard.ts";
import type { ControlDiary } from "./control-diary.ts";
import type { ControlRecord } from "./control-record.ts";
import type { ControlStore } from "./control-store.ts";
import { createGuardAlarm } from "./guard-alarm.ts";
import {
  endHold,
  type GuardMoment,
  type GuardRecord,
  holdDeletion,
  statusOf,
  takeDeletion,
  verdictOf,
} from "./guard-record.ts";

/** The nodes of the cluster, as the deletion guard needs them. */
export interface KnownNodes {
  count(): number;
  /** Returns false only for a node that is certainly gone. */
  mayBeThere(node: GuardedNode): boolean;
}

export interface GuardKeeperOptions {
  readonly store: Pick<ControlStore, "record" | "update">;
  /** Undefined while the guard is off: then nothing is counted and nothing held. */
  readonly policy: Pick<LiveValue<GuardPolicy | undefined>, "value">;
  readonly clock: Clock;
  readonly nodes: KnownNodes;
  readonly diary: ControlDiary;
  /** Whether planned deletions are counted in memory only. */
  readonly dryRun: boolean;
  /** Called when a write failed; the node's next run makes up for it. */
  onError(error: unknown): void;
}

export interface GuardKeeper extends DeletionGuard {
  /** Undefined while the guard is off. */
  status(): GuardStatus | undefined;
  /**
   * Must be called when the record has changed, and periodically: raises the alarm, and forgets nodes that are gone.
   */
  review(): void;
}

/** The deletion guard, kept in the control record so that its window outlives every leader. */
export function createGuardKeeper(options: GuardKeeperOptions): GuardKeeper {
  const { store, policy, clock, nodes, diary, dryRun, onError } = options;
  const moment = () => momentOf({ policy, clock, nodes });
  const status = () => {
    const now = moment();
    return now === undefined ? undefined : statusOf(store.record.guard, now);
  };
  const alarm = createGuardAlarm({ diary, clock, status });

  function stopWaiting(isOver: (node: GuardedNode) => boolean): void {
    if (!store.record.guard.held.some(isOver)) return;
    store
      .update((record) => edited(record, endHold(record.guard, isOver), undefined))
      .catch(onError);
  }

  function wait(node: GuardedNode, because: string): void {
    if (policy.value === undefined) return;
    if (store.record.guard.held.some(({ uid }) => uid === node.uid)) return;
    const nowMs = clock.now();
    store
      .update((record) => {
        const guard = holdDeletion(record.guard, node, { because, nowMs });
        return edited(record, guard, record.guard.held.length === 0);
      })
      .then((isFirst) => {
        if (isFirst) alarm.tripped();
      })
      .catch(onError);
  }

  const verdict = (node: GuardedNode): GuardVerdict => {
    const now = moment();
    return now === undefined ? { kind: "free" } : verdictOf(store.record.guard, node, now);
  };
  const take = async (node: GuardedNode) => {
    if (policy.value === undefined) return true;
    return store.update((record) => {
      const now = moment();
      const guard = now === undefined ? record.guard : takeDeletion(record.guard, node, now);
      return edited(record, guard ?? record.guard, guard !== undefined);
    });
  };

  /** Counts at once, so that other calls at the same moment see it. */
  function foresee(node: GuardedNode): GuardVerdict {
    const foreseen = verdict(node);
    if (foreseen.kind !== "held") take(node).catch(onError);
    return foreseen;
  }

  return {
    status,
    verdict,
    take,
    ...(dryRun ? { foresee } : {}),
    waits: (node, because) => {
      if (because === undefined) stopWaiting(({ uid }) => uid === node.uid);
      else wait(node, because);
    },
    review: () => {
      alarm.review();
      stopWaiting((node) => !nodes.mayBeThere(node));
    },
  };
}

/** Undefined while the guard is off. Nodes are counted only on demand, as that is rarely needed. */
function momentOf(
  dependencies: Pick<GuardKeeperOptions, "policy" | "clock" | "nodes">,
): GuardMoment | undefined {
  const { policy, clock, nodes } = dependencies;
  if (policy.value === undefined) return undefined;
  return {
    policy: policy.value,
    nowMs: clock.now(),
    get nodeCount() {
      return nodes.count();
    },
  };
}

function edited<Answer>(record: ControlRecord, guard: GuardRecord, answer: Answer) {
  return { record: guard === record.guard ? record : { ...record, guard }, answer };
}
