import { budgetMinute, controllerUse } from "../../../../packages/store/testing/budget-records.ts";
import { fleet } from "../../../../packages/store/testing/fleet.ts";
import {
  orphanState,
  serviceState,
} from "../../../../packages/store/testing/load-balancer-records.ts";
import { heartbeat, runEnd, runStart } from "../../../../packages/store/testing/records.ts";
import {
  foreignRoute,
  nodeRoutesState,
  staleRouteState,
  tableState,
} from "../../../../packages/store/testing/route-records.ts";
import { volumeState } from "../../../../packages/store/testing/volume-records.ts";

/** When the run in the records started. */
export const STARTED = Date.now() - 60_000;
export const RUN = runStart({ startedAt: STARTED });

export const ACTION = "01900000-0000-7000-8000-00000000e0a1";

const MINUTE = budgetMinute(Math.floor(STARTED / 60_000) * 60_000, 5);

/** From the cluster's leader, with quotas and settings. */
const HEARTBEAT = heartbeat({
  cloud: {
    ...{ callsLastMinute: 5, throttledLastMinute: 0 },
    quotas: [
      {
        ...{ service: "compute", readAt: STARTED },
        quotas: [{ resource: "servers", limit: 40, used: 38 }, { resource: "keys" }],
      },
    ],
  },
  controls: {
    pauses: [],
    settings: [
      { setting: "ledger-retention-runs", flag: "30d" },
      {
        ...{ setting: "node-deletion-guard", flag: "5,10%,10m" },
        override: { value: "off", by: "Ben", why: "=INC-88", at: STARTED, intentId: ACTION },
      },
    ],
  },
});

/** At least one record for each list of a cluster. */
export const RECORDS = [
  HEARTBEAT,
  ...fleet(),
  serviceState("shop/web"),
  orphanState("lb-9"),
  nodeRoutesState("w-1"),
  staleRouteState("r-9"),
  tableState("rtb-a", { reported: { foreign: [foreignRoute("f-1")] } }),
  volumeState("pv-1"),
  RUN,
  runEnd({
    ...{ id: RUN.id, startedAt: STARTED, outcome: "failed" },
    reason: { code: "Other", name: "Odd", text: "=1+1, odd" },
  }),
  {
    ...MINUTE,
    cloud: {
      ...MINUTE.cloud,
      priorities: [
        {
          priority: "new",
          calls: 6,
          waited: 2,
          waitMs: 300,
          longestWaitMs: 200,
          putOff: 1,
        } as const,
      ],
      lookups: [{ what: "look up instance", asked: 4, withoutCall: 1, shared: 2 }],
    },
    controllers: [controllerUse({ runs: 4, cloudCalls: 1, kubeCalls: 2 })],
    waiters: [
      {
        controller: "cloud-node-controller",
        object: { kind: "Node", name: "w-1" },
        ...{ runId: RUN.id, at: STARTED, waitMs: 200 },
      } as const,
    ],
  },
];
