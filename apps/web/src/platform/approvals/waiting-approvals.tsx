"use client";
import type { WaitingApproval } from "@cloudwright/store/views/approvals";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { useFetched } from "../../components/use-fetched.ts";

/** Waiting actions expire without being reported, so the list is refetched. */
const REFETCH_MS = 30_000;

const load = () => import("./waiting-list.tsx").then(({ WaitingList }) => WaitingList);

/** Returns the actions that wait for approval in a cluster, or those of one batch. */
export function useWaitingApprovals(
  cluster: string,
  batch?: string | undefined,
): readonly WaitingApproval[] {
  const api = useApi();
  const { data = NONE } = useQuery(
    api.approvals.waiting.queryOptions({ cluster, batch }, { refetchInterval: REFETCH_MS }),
  );
  return data;
}

const NONE: readonly WaitingApproval[] = [];

/**
 * The actions that wait for another user's approval, with the way to decide. Without any, it renders nothing and its script is not fetched.
 * `most` is how many are shown, with a link to the others. `only` shows the one with this id, `batch` those of one batch.
 */
export function WaitingApprovals({
  most = Number.POSITIVE_INFINITY,
  only,
  batch,
}: {
  readonly most?: number;
  readonly only?: string;
  readonly batch?: string;
}) {
  const all = useWaitingApprovals(useClusterId(), batch);
  const waiting = all.filter(({ intent }) => only === undefined || intent.id === only);
  const List = useFetched(load, waiting.length > 0 || undefined);
  return List === undefined ? null : <List {...{ waiting, most }} isAlone={only !== undefined} />;
}
