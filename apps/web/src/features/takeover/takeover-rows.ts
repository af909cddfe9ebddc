import { t } from "@cloudwright/core/model/language/text";
import type {
  DoneAdoption,
  ProvenRoutes,
  TakeoverView,
  WaitingRow,
} from "@cloudwright/store/views/takeover";
import { keptText, matches, routesText } from "./takeover-messages.ts";

/** Returns the rows of each list that match a text, for the page and its file. */
export function waitingRows({ waiting }: TakeoverView, text: string): readonly WaitingRow[] {
  return waiting.filter(({ name, reason }) => matches(text, name, reason.id));
}

/** What was adopted, or is kept without a write; the latter has no time at which that began. */
export interface AdoptedRow extends Omit<DoneAdoption, "at"> {
  readonly key: string;
  readonly at: number | undefined;
}

export function adoptedRows(
  { adopted, proven }: TakeoverView,
  text: string,
): readonly AdoptedRow[] {
  return [...adopted.map(ofAdoption), ...proven.map(ofProven)].filter(({ name, id }) =>
    matches(text, name, id),
  );
}

function ofAdoption(one: DoneAdoption): AdoptedRow {
  const what = one.kind === "Node" ? t`route` : t`load balancer`;
  return { ...one, key: `${one.kind} ${one.name} ${one.id} ${one.at}`, id: `${what} ${one.id}` };
}

function ofProven({ name, uid, routes, runId }: ProvenRoutes): AdoptedRow {
  return {
    ...{ key: uid, kind: "Node", name, id: routesText(routes), by: "proofs" },
    ...{ actor: "", why: keptText(routes), at: undefined, runId },
  };
}

export type ReportedRow = ProvenRoutes & { readonly kind: "Node" };

export function reportedRows({ reported }: TakeoverView, text: string): readonly ReportedRow[] {
  return reported
    .filter(({ name, routes }) => matches(text, name, ...routes.map(({ id }) => id)))
    .map((row) => ({ ...row, kind: "Node" }));
}
