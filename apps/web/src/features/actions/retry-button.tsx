"use client";
import type { ControllerName } from "@cloudwright/core/model/controller-names";
import { uuidV7 } from "@cloudwright/core/model/ids";
import { INTENT_ROLE } from "@cloudwright/core/model/intent";
import { roleIncludes } from "@cloudwright/core/model/roles";
import { Modal, Tooltip } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { useApi } from "../../components/api.ts";
import { Button } from "../../components/button.tsx";
import { problemOf } from "../../components/problem.ts";
import { useViewer } from "../shell/viewer-context.tsx";
import styles from "./retry-button.module.css";
import { putInTray } from "./tray-store.ts";

export interface RetryTarget {
  readonly cluster: string;
  readonly controller: ControllerName;
  readonly name: string;
  readonly uid: string;
}

const DEFAULT_REASON = "Looked at from the dashboard";

/** Asks the leader to look at a node at once, before everything else. Whoever may not sees why. */
export function RetryButton({ target }: { readonly target: RetryTarget }) {
  const { role } = useViewer();
  const [isOpen, setOpen] = useState(false);
  if (!roleIncludes(role, INTENT_ROLE.retry)) {
    const why = `Needs the role ${INTENT_ROLE.retry}. You are ${role}.`;
    return (
      <Tooltip label={why} events={{ hover: true, focus: true, touch: true }}>
        <Button aria-disabled="true" aria-description={why}>
          Retry now
        </Button>
      </Tooltip>
    );
  }
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        Retry now
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={`Retry node ${target.name}`}
        centered
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <RetryForm target={target} close={() => setOpen(false)} />
      </Modal>
    </>
  );
}

function RetryForm({
  target,
  close,
}: {
  readonly target: RetryTarget;
  readonly close: () => void;
}) {
  const [reason, setReason] = useState(DEFAULT_REASON);
  // One id for the whole dialog: pressing twice, or again after a lost answer, asks once.
  const [id] = useState(newId);
  const retry = useRetry(target, close);
  const field = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    retry.mutate({
      id,
      cluster: target.cluster,
      controller: target.controller,
      object: { kind: "Node", name: target.name, uid: target.uid },
      why: reason.trim() === "" ? DEFAULT_REASON : reason.trim(),
    });
  };
  return (
    <form onSubmit={submit} className={styles.form}>
      <p className={styles.text}>
        The leader looks at this node at once, before everything else in its queue: about one cloud
        call. It writes only what its plan says, and then looks again.
      </p>
      <label htmlFor={field} className={styles.label}>
        Reason <span className={styles.optional}>kept in the audit record</span>
      </label>
      <input
        id={field}
        className={styles.input}
        value={reason}
        maxLength={500}
        data-autofocus
        onChange={({ target: { value } }) => setReason(value)}
        aria-describedby={retry.isError ? `${field}-error` : undefined}
      />
      {retry.isError ? (
        <p id={`${field}-error`} role="alert" className={styles.error}>
          {problemOf(retry.error).sentence} {problemOf(retry.error).advice}
        </p>
      ) : null}
      <div className={styles.buttons}>
        <Button onClick={close}>Cancel</Button>
        <Button look="primary" type="submit" disabled={retry.isPending}>
          {retry.isPending ? "Asking…" : "Retry node"}
        </Button>
      </div>
    </form>
  );
}

function useRetry(target: RetryTarget, close: () => void) {
  const api = useApi();
  const queryClient = useQueryClient();
  return useMutation(
    api.intents.retry.mutationOptions({
      onSuccess: (intent) => {
        queryClient.setQueryData(
          api.intents.byId.queryKey({ cluster: target.cluster, id: intent.id }),
          intent,
        );
        putInTray(target.cluster, intent.id);
        close();
      },
    }),
  );
}

/** Not `crypto.randomUUID`: it is missing where the dashboard is reached by plain HTTP. */
function newId(): string {
  return uuidV7(Date.now(), () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32);
}
