"use client";
import { windowTitle } from "../../components/page/window-title.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { useCluster } from "../live/use-cluster.ts";

/** Sets the window's title from what the page found; React hoists it into the head. */
export function DocumentTitle({ title }: { readonly title: string }) {
  const { data } = useCluster(useClusterId());
  return <title>{windowTitle(title, data?.name)}</title>;
}
