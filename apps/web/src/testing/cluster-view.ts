import type { ControllerName } from "@cloudwright/core/model/controller-names";
import type { State } from "@cloudwright/core/model/state";
import type { ClusterView, ControllerInstanceView } from "@cloudwright/store/views/clusters";
import { NO_HEALTH } from "../platform/wording/health-messages.ts";

export const NO_STATES: Readonly<Record<State, number>> = {
  ...{ stuck: 0, unknown: 0, waiting: 0, working: 0, held: 0, ok: 0, gone: 0 },
};

type Controller = ControllerInstanceView["controllers"][number];

export function controller(name: ControllerName, over: Partial<Controller> = {}): Controller {
  return { name, queueDepth: 0, oldestMs: 0, lastError: undefined, ...over };
}

/** Returns a leading process that reported just now. */
export function instance(over: Partial<ControllerInstanceView> = {}): ControllerInstanceView {
  return {
    ...{ identity: "ctl-1_aaaa", version: "1.2.3", leader: true, leaseTransitions: 4 },
    ...{ heardAt: Date.now(), watchSilentMs: 500, spoolBytes: 0, dryRun: false },
    controllers: [controller("cloud-node-controller")],
    controls: { pauses: [] },
    cloud: undefined,
    ...over,
  };
}

/** Returns a healthy cluster as the server does, with the given members replaced. */
export function cluster(
  over: Partial<ClusterView> & { readonly serverNow?: number } = {},
): ClusterView & { readonly serverNow: number } {
  const leader = instance();
  return {
    ...{ id: "c-1", name: "prod", provider: "sandbox", lastHeardAt: Date.now() },
    ...{ leader, instances: [leader], health: NO_HEALTH },
    nodes: { ...NO_STATES, ok: 5 },
    balancers: { states: NO_STATES, drifted: 0, orphans: 0, orphansStuck: 0 },
    routes: {
      ...{ states: NO_STATES, drifted: 0, wanted: 0, inStep: 0, stale: 0, staleStuck: 0 },
      ...{ foreign: 0, tables: 0, tablesStuck: 0, fullest: undefined },
    },
    volumes: { states: NO_STATES, drifted: 0 },
    runs: { all: 0, changed: 0, failed: 0 },
    ...{ openIntents: 0, waiting: { balancers: 0, routes: 0 }, gaps: [], serverNow: Date.now() },
    ...over,
  };
}
