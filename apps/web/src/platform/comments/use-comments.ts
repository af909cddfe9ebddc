"use client";
import type { Comment, CommentTarget } from "@cloudwright/store/views/comments";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";

/** Reads the comments on a run or an action of the page's cluster, newest last. */
export function useComments(about: CommentTarget): UseQueryResult<readonly Comment[], unknown> {
  const api = useApi();
  const cluster = useClusterId();
  return useQuery(api.comments.list.queryOptions({ cluster, about }));
}

/** Returns how many comments can be read, for the label of a tab; undefined for none. */
export function useCommentCount(about: CommentTarget): string | undefined {
  const { data = [] } = useComments(about);
  const count = data.filter(({ withdrawn }) => withdrawn === undefined).length;
  return count === 0 ? undefined : String(count);
}
