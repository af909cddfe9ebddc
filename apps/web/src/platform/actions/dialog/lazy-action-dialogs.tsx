"use client";
import { useFetched } from "../../../components/use-fetched.ts";
import { useOpenDialog } from "../dialog-store.ts";

const load = () => import("./action-dialogs.tsx").then(({ ActionDialogs }) => ActionDialogs);

/** The dialogs of actions, which are loaded when the first one opens and stay loaded. */
export function LazyActionDialogs() {
  const ActionDialogs = useFetched(load, useOpenDialog());
  return ActionDialogs === undefined ? null : <ActionDialogs />;
}
