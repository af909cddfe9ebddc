"use client";
import { useCluster } from "../live/use-cluster.ts";
import styles from "./shell.module.css";

/** On every page while the controller that leads writes nothing. */
export function ModeBanner({ cluster }: { readonly cluster: string }) {
  const { data } = useCluster(cluster);
  if (data?.leader?.dryRun !== true) return null;
  return (
    <p className={styles.banner} data-tone="held">
      This controller is in dry run: it plans and records, and writes nothing.
    </p>
  );
}
