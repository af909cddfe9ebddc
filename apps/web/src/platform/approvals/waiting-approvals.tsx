"use client";
import type { WaitingApproval } from "@cloudwright/store/views/approvals";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { useFetched } from "../../components/use-fetched.ts";

/** What waits passes by itself while nothing is reported. */
const REFETCH_MS = 30_000;

const load = () => import("./waiting-list.tsx").then(({ WaitingList }) => WaitingList);

/** What waits for another person in a cluster, or of one batch. */
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
 * Who wants what and waits for another person, with the way to decide; nothing where nobody waits, nor is its script fetched then.
 * `most`: how many are shown, with a link to the others. `only`: the one of this id. `batch`: those that were requested in it.
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
