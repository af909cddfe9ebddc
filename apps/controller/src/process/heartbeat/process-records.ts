import { recordBudgetMinutes } from "@cloudwright/core/reconcile/budget/budget-minutes";
import { meteredRecorder } from "@cloudwright/core/reconcile/budget/metered-parts";
import type { Recorder } from "@cloudwright/core/reconcile/ports";
import type { CloudAccess } from "../../wiring/cloud/cloud-access.ts";
import type { ProcessContext } from "../../wiring/process-context.ts";
import { settingsRecord } from "./settings-record.ts";

export interface ProcessSource {
  readonly processContext: ProcessContext;
  readonly cloud: Pick<CloudAccess, "provider" | "budget" | "quotas">;
  readonly clusterUid: string;
  readonly recorder: Recorder;
}

/** The records that a process writes about itself besides its heartbeats. */
export interface ProcessRecords {
  /** The controllers' recorder, which also counts what their runs cost. */
  readonly recorder: Recorder;
  /** From now on records each minute's calls, and follows the cloud's quotas. */
  leads(): void;
  leadsNoMore(): void;
}

/** Records the settings of the process, now and when it begins to lead, and its calls while it leads. */
export function recordProcess(source: ProcessSource): ProcessRecords {
  const { processContext, clusterUid, recorder } = source;
  const recordSettings = () => recorder.append(settingsRecord(processContext, clusterUid));
  let endTerm = () => {};
  recordSettings();
  return {
    recorder: meteredRecorder(recorder, processContext.meter),
    leads: () => {
      recordSettings();
      const endMinutes = startMinutes(source);
      const endQuotas = source.cloud.quotas?.follow();
      endTerm = () => {
        endMinutes();
        endQuotas?.();
      };
    },
    leadsNoMore: () => {
      endTerm();
      endTerm = () => {};
    },
  };
}

function startMinutes({ processContext, cloud, clusterUid, recorder }: ProcessSource): () => void {
  const { meter, clock, identity, flags } = processContext;
  const qps = flags["kube-api-qps"];
  return recordBudgetMinutes({
    meter,
    recorder,
    clock,
    identity: {
      cluster: clusterUid,
      instance: identity,
      provider: cloud.provider.name,
      dryRun: flags["dry-run"],
    },
    cloudAllowsPerSecond: () => cloud.budget.snapshot().allowedPerSecond,
    kubePerMinute: qps > 0 ? Math.round(qps * 60) : undefined,
  });
}
