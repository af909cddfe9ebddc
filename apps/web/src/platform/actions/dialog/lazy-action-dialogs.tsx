"use client";
import { useFetched } from "../../../components/use-fetched.ts";
import { useOpenDialog } from "../dialog-store.ts";

const load = () => import("./action-dialogs.tsx").then(({ ActionDialogs }) => ActionDialogs);

/** The dialogs of actions, which come with the first that is opened and stay. */
export function LazyActionDialogs() {
  const ActionDialogs = useFetched(load, useOpenDialog());
  return ActionDialogs === undefined ? null : <ActionDialogs />;
}
