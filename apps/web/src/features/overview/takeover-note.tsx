"use client";
import { Link } from "../../components/link.tsx";
import page from "../../components/page.module.css";
import { addresses } from "../../components/url/addresses.ts";
import { useCluster } from "../../platform/live/use-cluster.ts";
import { waitingSentence } from "../../platform/wording/takeover-waiting.ts";

/** That load balancers or routes of an earlier manager wait for consent, with the way to them; nothing where none does. */
export function TakeoverNote({ cluster }: { readonly cluster: string }) {
  const { data } = useCluster(cluster);
  const sentence = data === undefined ? undefined : waitingSentence(data.waiting);
  if (sentence === undefined) return null;
  return (
    <p className={page.note}>
      {sentence}. <Link href={addresses.takeover(cluster)}>Show what waits</Link>
    </p>
  );
}
