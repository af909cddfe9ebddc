import type { AlarmedKind, ClusterHealth } from "@cloudwright/store/views/health";
import { useNow } from "../../components/time/ticker.ts";
import { alarmsSentence, NO_HEALTH } from "../wording/health-words.ts";
import { useCluster } from "./use-cluster.ts";

/** The health of a cluster, as badges and headline count it, and what befell many of these kinds at once. */
export function useHealth(
  cluster: string,
  kinds: readonly AlarmedKind[],
): { readonly health: ClusterHealth; readonly alarms: string } {
  const { data, skewMs } = useCluster(cluster);
  const now = useNow() - skewMs;
  const health = data?.health ?? NO_HEALTH;
  return { health, alarms: alarmsSentence(health, { now, kinds }) };
}
