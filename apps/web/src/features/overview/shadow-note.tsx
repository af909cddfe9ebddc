"use client";
import { Link } from "../../components/link.tsx";
import page from "../../components/page.module.css";
import { TimeText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useCluster } from "../../platform/live/use-cluster.ts";

/** That a controller runs dry beside the one that acts, with the way to what it would do. */
export function ShadowNote({ cluster }: { readonly cluster: string }) {
  const { data } = useCluster(cluster);
  const shadow = data?.instances.find(({ dryRun }) => dryRun);
  if (shadow === undefined) return null;
  return (
    <p className={page.note}>
      A controller runs dry here, last heard <TimeText at={shadow.heardAt} />.{" "}
      <Link href={addresses.dryRun(cluster)}>Show what it would do</Link>
    </p>
  );
}
