"use client";
import type { NodeDetail } from "@cloudwright/store/views";
import { nodeAction } from "../../../platform/actions/action-choice.ts";
import { EndingLine } from "../../../platform/actions/ending-line.tsx";
import { type Ending, endingOf } from "./ending.ts";

/** How long a hold or an override of a node still lasts, what comes then, and the way to extend it. */
export function EndingNotice({
  cluster,
  node,
}: {
  readonly cluster: string;
  readonly node: NodeDetail;
}) {
  const ending = endingOf(node);
  if (ending?.until === undefined) return null;
  const { kind, by, until } = ending;
  const { controller, name, uid } = node.row;
  return (
    <EndingLine
      choice={nodeAction({ cluster, controller, name, uid }, kind)}
      what={`${kind === "hold" ? "Held" : "Freed unfinished"}${by === undefined ? "" : ` by ${by}`}`}
      until={until}
      afterwards={THEN[kind]}
    />
  );
}

const THEN: Readonly<Record<Ending["kind"], string>> = {
  hold: "Then the hold lifts by itself and the node gets what it needs.",
  override: "If it is still not initialised then, the taint comes back.",
};
