"use client";
import { actionsOn } from "@cloudwright/core/model/actions/action";
import type { ControllerName } from "@cloudwright/core/model/controller-names";
import type { ClusterHealth } from "@cloudwright/store/views/health";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { useNow } from "../../components/time/ticker.ts";
import { alarmsSentence, NO_HEALTH } from "../wording/health-messages.ts";

const REFETCH_MS = 10_000;

/** Returns the cluster as the frame shows it, and how many milliseconds this browser's clock is ahead of the server's. */
export function useCluster(cluster: string) {
  const api = useApi();
  const query = useQuery(
    api.clusters.byId.queryOptions({ cluster }, { refetchInterval: REFETCH_MS }),
  );
  const skewMs = query.data === undefined ? 0 : query.dataUpdatedAt - query.data.serverNow;
  return { ...query, skewMs };
}

/**
 * Returns all clusters. They were read at `readAt` by the server's clock, which this browser's clock is `skewMs` ahead of; without a
 * cluster, the skew is unknown.
 */
export function useClusters(
  options: { readonly refetchInterval?: number; readonly enabled?: boolean } = {},
) {
  const api = useApi();
  const query = useQuery(api.clusters.list.queryOptions(undefined, options));
  const readAt = query.data?.[0]?.serverNow ?? query.dataUpdatedAt;
  return { ...query, readAt, skewMs: query.data === undefined ? 0 : query.dataUpdatedAt - readAt };
}

/** Returns the health of a cluster, as badges and headline count it, and the alarms of these kinds. */
export function useHealth(
  cluster: string,
  kinds: readonly string[],
): { readonly health: ClusterHealth; readonly alarms: string } {
  const { data, skewMs } = useCluster(cluster);
  const now = useNow() - skewMs;
  const health = data?.health ?? NO_HEALTH;
  return { health, alarms: alarmsSentence(health, { now, kinds }) };
}

/** Returns the actions that a controller declares on the leader for an object kind, the retry first. */
export function useActionsOn(cluster: string, name: ControllerName, kind: string) {
  const leader = useCluster(cluster).data?.leader;
  const running = leader?.controllers.find((controller) => controller.name === name);
  return actionsOn({ name, actions: running?.actions }, kind);
}

/** Reports whether a loop runs on the leader; undefined if there is no leader or it is not known. */
export function useIsRunning(cluster: string, controller: ControllerName): boolean | undefined {
  const leader = useCluster(cluster).data?.leader;
  return leader?.controllers.some(({ name }) => name === controller);
}
