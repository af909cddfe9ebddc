"use client";
import type { Reason } from "@cloudwright/core/model/reason";
import { keepUnits } from "../presentation/keep-units.ts";
import { useCause } from "../time/time-words.ts";
import { withoutRequests } from "./request-parts.ts";

/** The cause in a list: without its evidence, which its title and the page beside the list have. */
export function CauseText({ reason }: { readonly reason: Reason }) {
  const cause = useCause()(reason);
  return <span title={cause}>{keepUnits(withoutRequests(cause))}</span>;
}
