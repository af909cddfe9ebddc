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

/** What a process writes down about itself besides its heartbeats. */
export interface ProcessRecords {
  /** For the controllers: what their runs cost is counted. */
  readonly recorder: Recorder;
  /** From now on each minute's calls are written down, and the cloud's quotas followed. */
  leads(): void;
  leadsNoMore(): void;
}

/** Writes down what the process was started with, now and when it begins to lead, and while it leads what it calls. */
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
