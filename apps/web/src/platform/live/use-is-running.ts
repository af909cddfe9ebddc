"use client";
import type { ControllerName } from "@cloudwright/core/model/controller-names";
import { useCluster } from "./use-cluster.ts";

/** Whether a loop runs on the leader; undefined while nobody leads, or that is not known. */
export function useIsRunning(cluster: string, controller: ControllerName): boolean | undefined {
  const leader = useCluster(cluster).data?.leader;
  return leader?.controllers.some(({ name }) => name === controller);
}
