"use client";
import type { MemberVerdict } from "@cloudwright/core/model/records/load-balancer-record";
import { capitalise } from "@cloudwright/core/model/sentence";
import { isSimplyIn, memberReason } from "./members.ts";

/** Why a node is where it is, in full in its tooltip; subdued where it is in like most. */
export function MemberWhy({ verdict }: { readonly verdict: MemberVerdict }) {
  const text = capitalise(memberReason(verdict));
  return (
    <span className={isSimplyIn(verdict) ? "quiet" : undefined} title={text}>
      {text}
    </span>
  );
}
