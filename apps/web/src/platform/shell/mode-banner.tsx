"use client";
import styles from "./shell.module.css";
import { useCluster } from "../live/use-cluster.ts";

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
