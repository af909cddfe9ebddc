"use client";
import type { ListedIntent } from "@cloudwright/core/model/actions/intent";
import { t } from "@cloudwright/core/model/language/text";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { changeProblem } from "../../components/problem.ts";
import { useViewer } from "../viewer/viewer-context.tsx";
import { GatedButton } from "./gated-button.tsx";

/** Cancels an action that no leader has claimed yet; renders nothing once one has. */
export function CancelButton({
  intent,
  appearance,
}: {
  readonly intent: ListedIntent;
  readonly appearance: "plain" | "quiet";
}) {
  const api = useApi();
  const queryClient = useQueryClient();
  const { cluster, id, state, actor } = intent;
  const { name, role } = useViewer();
  const cancel = useMutation(
    api.intents.cancel.mutationOptions({
      onSuccess: (ended) =>
        queryClient.setQueryData(api.intents.byId.queryKey({ cluster, id }), ended),
    }),
  );
  if (state !== "requested" && state !== "awaiting-approval") return null;
  const mayCancel = role === "admin" || name === actor;
  return (
    <>
      {cancel.isError ? <span role="alert">{changeProblem(cancel.error)}</span> : null}
      <GatedButton
        appearance={appearance}
        whyNot={
          mayCancel ? undefined : t`Only ${actor}, who requested it, or an admin can cancel it.`
        }
        onClick={() => {
          if (!cancel.isPending) cancel.mutate({ cluster, id });
        }}
      >
        {t`Cancel action`}
      </GatedButton>
    </>
  );
}
