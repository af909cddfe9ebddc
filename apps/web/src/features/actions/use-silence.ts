"use client";
import { useNow } from "../../components/time/ticker.ts";
import { bannersOf } from "../shell/banners.ts";
import { useCluster } from "../shell/use-cluster.ts";

/** Why no answer comes, as far as the dashboard can tell. */
export function useSilence(cluster: string): string {
  const { data, skewMs, isError } = useCluster(cluster);
  const now = useNow();
  const [worst] = bannersOf(data, now - skewMs, isError);
  const known = worst?.id === "dry-run" ? undefined : worst?.text;
  return known ?? "The leader has not answered within 5 s: it may be busy.";
}
