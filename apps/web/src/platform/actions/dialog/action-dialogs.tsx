"use client";
import { t } from "@cloudwright/core/model/language/text";
import { Modal } from "@mantine/core";
import { usePathname } from "next/navigation";
import { useEffect, useId, useRef, useState } from "react";
import { Button } from "../../../components/button/button.tsx";
import { type ActionChoice, actionOfChoice } from "../action-choice.ts";
import { dialogTitle } from "../action-kinds.ts";
import { actOf, bulkTitle } from "../bulk-choice.ts";
import { closeDialog, type OpenDialog, useOpenDialog } from "../dialog-store.ts";
import { ActionForm } from "./action-form.tsx";
import { BulkForm } from "./bulk-form.tsx";
import { PreviewPanel } from "./preview-panel.tsx";
import { SettingForm } from "./setting-form.tsx";
import { usePreview } from "./use-preview.ts";

/** The dialog of the requested action. If a page has several of these, only the first shows it. */
export function ActionDialogs() {
  const isFirst = useIsFirst();
  const open = useOpenDialog();
  const shown = isFirst ? open : undefined;
  useCloseOnLeaving();
  return (
    <Modal
      opened={shown !== undefined}
      onClose={closeDialog}
      title={shown === undefined ? "" : titleOf(shown)}
      size="lg"
      centered
      returnFocus={false}
      closeOnClickOutside={false}
      // The content disappears at once, so a fading frame would be empty.
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ "aria-label": t`Close` }}
    >
      {shown === undefined ? null : <Content open={shown} />}
    </Modal>
  );
}

/** Closes the dialog when the user leaves the page that opened it. It may be open already when this code loads. */
function useCloseOnLeaving(): void {
  const page = usePathname();
  const shownOn = useRef(page);
  useEffect(() => {
    if (shownOn.current !== page) closeDialog();
    shownOn.current = page;
  }, [page]);
}

function titleOf({ choice }: OpenDialog): string {
  return choice.kind === "bulk"
    ? bulkTitle(actOf(choice), choice.targets.length)
    : dialogTitle(choice);
}

function Content({ open: { choice } }: { readonly open: OpenDialog }) {
  if (choice.kind === "bulk") return <BulkForm choice={choice} />;
  if (choice.change !== undefined && choice.change.reset !== true) {
    return <SettingForm choice={choice} change={choice.change} />;
  }
  return choice.isDryRun === true ? <DryRun choice={choice} /> : <ActionForm choice={choice} />;
}

const hosts: string[] = [];

function useIsFirst(): boolean {
  const id = useId();
  const [isFirst, setFirst] = useState(false);
  useEffect(() => {
    hosts.push(id);
    setFirst(hosts[0] === id);
    return () => void hosts.splice(hosts.indexOf(id), 1);
  }, [id]);
  return isFirst;
}

/** What the controller would do with the node now. It writes nothing. */
function DryRun({ choice }: { readonly choice: ActionChoice }) {
  const action = actionOfChoice(choice, 0);
  const preview = usePreview(choice, action);
  return (
    <div className="grid gap-4">
      <p className="second">{t`What the leader would do now. This is a preview: nothing is written.`}</p>
      <PreviewPanel cluster={choice.cluster} action={action} preview={preview} />
      <div className="buttons centred at-end">
        <Button
          aria-disabled={preview.state.kind === "asking"}
          onClick={() => (preview.state.kind === "asking" ? undefined : preview.askAgain())}
        >
          {t`Preview again`}
        </Button>
        <Button appearance="primary" onClick={closeDialog} data-autofocus>
          {t`Close`}
        </Button>
      </div>
    </div>
  );
}
