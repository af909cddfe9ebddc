"use client";
import { useEffect, useState } from "react";
import { useCluster } from "../live/use-cluster.ts";
import { type ActionChoice, wishOf } from "./action-choice.ts";
import { ACTION_KINDS } from "./action-kinds.ts";
import { type FieldProblems, fieldProblems, obstacleOf } from "./confirmation-request.ts";
import { closeDialog } from "./dialog-store.ts";
import type { ShownPlan } from "./plan-facts.ts";
import { useConfirmation } from "./use-confirmation.ts";
import { useEnd } from "./use-end.ts";
import { usePreview } from "./use-preview.ts";

/** Everything that the form of an action knows: its end, what was planned for it, its fields and how far asking has come. */
export function useActionForm(choice: ActionChoice) {
  const { cluster, kind } = choice;
  const end = useEnd(kind, useCluster(cluster).skewMs);
  const wish = wishOf(choice, end.until);
  const preview = usePreview(choice, wish);
  const confirmation = useConfirmation(cluster);
  const [fields, setFields] = useState({ why: ACTION_KINDS[kind].usualReason ?? "", typed: "" });
  const [tried, setTried] = useState(false);
  const [confirmed, setConfirmed] = useState<ShownPlan>();
  const { state } = confirmation;
  useEffect(() => {
    if (state.kind === "accepted") closeDialog();
    // What was typed was typed for the other plan.
    if (state.kind === "moved") setFields((now) => ({ ...now, typed: "" }));
  }, [state.kind]);

  const moved = state.kind === "moved" ? state.plan : undefined;
  const plan = moved ?? (preview.state.kind === "answered" ? preview.state.plan : undefined);
  const input = { choice, wish: preview.wish ?? wish, plan, ...fields };
  const obstacle = moved === undefined ? obstacleOf(kind, preview.state) : undefined;
  return {
    ...{ end, wish, preview, confirmation, fields, moved },
    /** The plan that the person saw when they confirmed. */
    confirmed,
    problems: tried ? fieldProblems(input) : {},
    whyNot: state.kind === "waiting" ? "It has been asked for." : obstacle,
    change: (change: Partial<typeof fields>) => setFields((now) => ({ ...now, ...change })),
    chooseEnd: (lengthMs: number) => {
      confirmation.forget();
      end.choose(lengthMs);
    },
    /** Asks for the action, or says which fields are wrong. */
    confirm: (): FieldProblems => {
      const problems = fieldProblems(input);
      setTried(true);
      if (Object.keys(problems).length === 0) {
        setConfirmed(plan);
        confirmation.confirm(input);
      }
      return problems;
    },
  };
}
