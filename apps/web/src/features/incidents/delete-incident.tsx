"use client";
import { t } from "@cloudwright/core/model/language/text";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useApi } from "../../components/api.ts";
import { AskingForm } from "../../components/form/form.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { useReread } from "../../components/use-reread.ts";

/** Asks for confirmation, and returns to the list. */
export function DeleteIncident({ id, onEnd }: { readonly id: string; readonly onEnd: () => void }) {
  const api = useApi();
  const router = useRouter();
  const cluster = useClusterId();
  const changed = useReread("incidents");
  const onSuccess = () => {
    router.push(addresses.incidents(cluster));
    changed();
  };
  const remove = useMutation(api.incidents.remove.mutationOptions({ onSuccess }));
  return (
    <AskingForm
      button={t`Delete incident`}
      appearance="danger"
      state={remove}
      onCancel={onEnd}
      onSubmit={() => remove.mutate({ cluster, id })}
    >
      <p className="flush">
        {t`Its link no longer works, and what was frozen cannot be brought back. The audit log
          keeps a record that it was shared, and that you deleted it.`}
      </p>
    </AskingForm>
  );
}
