import type { Reason } from "@cloudwright/core/model/reason";
import type { State } from "@cloudwright/core/model/state";
import type { NodeLoadBalancers } from "@cloudwright/store/views/load-balancers";
import type { NodeDetail } from "@cloudwright/store/views/node-detail";
import { screen } from "@testing-library/react";
import { controllerState, nodeDetail, nodeRow } from "../../../testing/node-detail.ts";
import { ANA, type Answers, renderPage } from "../../../testing/render-page.tsx";
import { NodePage } from "../detail/node-page.tsx";

export const HELD: Reason = {
  code: "HeldByAnnotation",
  by: "ben",
  why: "disk check",
  untilMs: Date.now() + 3_600_000,
};

export const NOT_FOUND: Reason = {
  code: "InstanceNotFound",
  ...{ provider: "sandbox", by: "name", value: "w-1", requestId: "7f3a9c10" },
};

export const NONE: NodeLoadBalancers = { balancers: [], behind: 0, total: 0 };

export interface Shown {
  readonly tab?: string;
  readonly answers?: Answers;
  readonly role?: "viewer" | "operator" | "admin";
}

export const addressOf = (tab: string | undefined) =>
  tab === undefined ? "/c/c-1/nodes/w-1" : `/c/c-1/nodes/w-1?tab=${tab}`;

export const answersOf = (of: Partial<NodeDetail>, answers: Answers = {}): Answers => ({
  "nodes.byName": () => nodeDetail(of),
  "balancers.ofNode": () => NONE,
  "people.admins": () => ["Cleo"],
  ...answers,
});

export function show(of: Partial<NodeDetail>, { tab, answers, role = "admin" }: Shown = {}) {
  return renderPage(<NodePage name="w-1" />, {
    viewer: { ...ANA, role },
    address: addressOf(tab),
    answers: answersOf(of, answers),
  });
}

export const heading = () => screen.findByRole("heading", { level: 1, name: "w-1" });

/** The node in this state for this reason, as reported by the node controller. */
export const inState = (
  state: State,
  reason: Reason,
  more: Partial<NodeDetail> = {},
): Partial<NodeDetail> => ({
  row: nodeRow("w-1", { state, reason, since: Date.now() - 14 * 60_000 }),
  controllers: [controllerState({ state, reason })],
  ...more,
});

export const fact = (term: string) =>
  screen.getByText(term, { selector: "dt" }).nextElementSibling?.textContent;
