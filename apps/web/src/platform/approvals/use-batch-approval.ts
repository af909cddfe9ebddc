"use client";
import type { Intent } from "@cloudwright/core/model/actions/intent";
import type { DecisionAnswer } from "@cloudwright/store/views/approvals";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import type { ActionChoice } from "../actions/action-choice.ts";
import { targetKey } from "../actions/bulk-choice.ts";
import {
  type BulkRow,
  type BulkStanding,
  isConfirmable,
  standingOf,
} from "../actions/dialog/bulk-rows.ts";
import { plannedState, usePlans } from "../actions/dialog/use-plans.ts";

/** One waiting action, with what it would do now. */
export interface ReviewedRow extends BulkRow {
  readonly intent: Intent;
  readonly standing: BulkStanding;
}

/** Has the leader plan the waiting actions again. */
export function useReview(intents: readonly Intent[]): readonly ReviewedRow[] {
  const targets = intents.map(targetOf);
  const actions = new Map(intents.map((intent) => [targetKey(intent), intent.action]));
  const planned = usePlans({
    ...{ cluster: intents[0]?.cluster ?? "", targets, until: 0 },
    actionOf: (target) => actions.get(targetKey(target)),
  });
  return intents.map((intent) => {
    const preview = plannedState(planned(targetKey(intent)));
    const row = { target: targetOf(intent), preview, requested: undefined, problem: undefined };
    return { ...row, intent, standing: standingOf(row) };
  });
}

function targetOf({ cluster, action, controller, object }: Intent): ActionChoice {
  return { cluster, kind: action.kind, controller, object };
}

/** Approves the actions with a plan, each with its own plan, or declines all. `onDone` is called if every one was decided. */
export function useDecideBatch(rows: readonly ReviewedRow[], onDone: () => void) {
  const api = useApi();
  const queryClient = useQueryClient();
  const decide = useMutation(
    api.approvals.decideBatch.mutationOptions({
      onSuccess: (answers) => {
        if (answers.every(({ kind }) => kind === "decided")) onDone();
      },
      onSettled: () => {
        for (const part of ["approvals", "intents"] as const)
          void queryClient.invalidateQueries(api[part].pathFilter());
      },
    }),
  );
  const { cluster = "", batch = "" } = rows[0]?.intent ?? {};
  return {
    answers: decide.data,
    error: decide.error,
    isPending: decide.isPending,
    approve: (why: string) =>
      decide.mutate({ cluster, batch, why, decision: "approve", actions: approvedOf(rows) }),
    decline: (why: string) => {
      const actions = rows.map(({ intent: { id } }) => ({ id }));
      decide.mutate({ cluster, batch, why, decision: "decline", actions });
    },
  };
}

/** Pairs each action with the plan that is shown; actions that the leader would refuse stay waiting. */
function approvedOf(rows: readonly ReviewedRow[]) {
  return rows.flatMap(({ intent: { id }, standing }) =>
    isConfirmable(standing) && standing.plan !== undefined
      ? [{ id, planHash: standing.plan.planHash }]
      : [],
  );
}

/** Groups the refused answers by cause, each with its targets in the order of the answers. */
export function refusedBy(
  answers: readonly DecisionAnswer[],
): ReadonlyMap<string, readonly string[]> {
  const causes = new Map<string, string[]>();
  for (const answer of answers) {
    if (answer.kind === "decided") continue;
    causes.set(answer.why, [...(causes.get(answer.why) ?? []), answer.id]);
  }
  return causes;
}
