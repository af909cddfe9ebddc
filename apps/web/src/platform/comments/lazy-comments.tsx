"use client";
import type { CommentTarget } from "@cloudwright/store/views/comments";
import { Skeleton } from "../../components/page/panel-states.tsx";
import { useFetched } from "../../components/use-fetched.ts";

const load = () => import("./comments-list.tsx").then(({ CommentsList }) => CommentsList);

/** Comments with the form for a new one, which are not part of a page's first load. */
export function Comments({ about }: { readonly about: CommentTarget }) {
  const CommentsList = useFetched(load, about);
  return CommentsList === undefined ? <Skeleton lines={3} /> : <CommentsList about={about} />;
}
