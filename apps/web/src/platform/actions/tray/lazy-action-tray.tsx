"use client";
import { useFetched } from "../../../components/use-fetched.ts";
import { useTray } from "./tray-store.ts";

const load = () => import("./action-tray.tsx").then(({ ActionTray }) => ActionTray);

/** The tray, fetched with the first action requested in this browser. */
export function LazyActionTray({ cluster }: { readonly cluster: string }) {
  const isEmpty = useTray(cluster).length === 0;
  const ActionTray = useFetched(load, isEmpty ? undefined : "tray");
  return ActionTray === undefined ? null : <ActionTray cluster={cluster} />;
}
