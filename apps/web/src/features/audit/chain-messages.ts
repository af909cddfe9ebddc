import type { ChainVerification, Stretch } from "@cloudwright/store/views/chains";
import { listed } from "../../platform/wording/action-title.ts";

/** What is still proven when a chain is broken. */
export function provenText({ proven, head }: ChainVerification): string {
  const bound = proven.filter((stretch) => stretch.bound);
  const loose = proven.filter((stretch) => !stretch.bound);
  const parts = [
    bound.length === 0 ? "" : `Still proven: ${stretches(bound)}.`,
    loose.length === 0
      ? ""
      : `Whole in themselves, but not bound to the rest: ${stretches(loose)}.`,
  ].filter((part) => part !== "");
  if (parts.length > 0) return parts.join(" ");
  return head === undefined ? "" : "No entry is proven any longer.";
}

export function count(entries: number): string {
  return entries === 1 ? "1 entry" : `${entries.toLocaleString("en-GB")} entries`;
}

/** How many entries no checkpoint binds yet. */
export function newerText(head: number, checkpoint: number): string {
  const newer = head - checkpoint;
  if (newer <= 0) return "no entry is newer";
  return `${newer.toLocaleString("en-GB")} newer ${newer === 1 ? "entry is" : "entries are"} not yet anchored`;
}

function stretches(found: readonly Stretch[]): string {
  return listed(
    found.map(({ from, to }) => (from === to ? `entry ${from}` : `entries ${from} to ${to}`)),
  );
}
