"use client";
import { t } from "@cloudwright/core/model/language/text";
import {
  type SavedList,
  type SavedView,
  VIEW_NAME_MOST,
} from "@cloudwright/store/views/saved-views";
import { useMutation } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { AskingForm, Field, type FormFields } from "../../components/form/form.tsx";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { useReread } from "../../components/use-reread.ts";
import { useCluster } from "../live/use-cluster.ts";
import styles from "./views.module.css";

export function SaveForm({
  listNow,
  onClose,
}: {
  readonly listNow: () => SavedList;
  readonly onClose: () => void;
}) {
  const api = useApi();
  const cluster = useClusterId();
  const { data } = useCluster(cluster);
  const onSuccess = useDone(onClose);
  const save = useMutation(api.savedViews.save.mutationOptions({ onSuccess }));
  const submit = ({ text, ticked }: FormFields) =>
    save.mutate({
      ...{ name: text("name") ?? "", shared: isShared(ticked) },
      cluster: text("clusters") === "all" ? undefined : cluster,
      list: listNow(),
    });
  return (
    <AskingForm button={t`Save view`} state={save} onCancel={onClose} onSubmit={submit}>
      <p className="flush quiet small">
        {t`It keeps this list, its filter and order, and its columns. The palette (Ctrl K)
          finds it.`}
      </p>
      <NameField />
      <fieldset className="grid gap-1 pad-0 flush frameless">
        <legend className={`strong ${styles.legend}`}>{t`For`}</legend>
        <label className={styles.option}>
          <input type="radio" name="clusters" value="one" defaultChecked />
          {data === undefined ? t`This cluster only` : t`${data.name} only`}
        </label>
        <label className={styles.option}>
          <input type="radio" name="clusters" value="all" />
          {t`All clusters`}
        </label>
      </fieldset>
      <ShareField />
    </AskingForm>
  );
}

interface FormProps {
  readonly view: SavedView;
  readonly onEnd: () => void;
}

export function ChangeForm({ view, onEnd }: FormProps) {
  const api = useApi();
  const onSuccess = useDone(onEnd);
  const change = useMutation(api.savedViews.change.mutationOptions({ onSuccess }));
  const submit = ({ text, ticked }: FormFields) =>
    change.mutate({ id: view.id, name: text("name") ?? "", shared: isShared(ticked) });
  return (
    <AskingForm button={t`Save`} state={change} onCancel={onEnd} onSubmit={submit}>
      <NameField name={view.name} />
      <ShareField isShared={view.isShared} />
    </AskingForm>
  );
}

export function ReplaceForm({
  view,
  listNow,
  onEnd,
}: FormProps & { readonly listNow: () => SavedList }) {
  const api = useApi();
  const onSuccess = useDone(onEnd);
  const change = useMutation(api.savedViews.change.mutationOptions({ onSuccess }));
  const submit = () => change.mutate({ id: view.id, list: listNow() });
  return (
    <AskingForm button={t`Replace view`} state={change} onCancel={onEnd} onSubmit={submit}>
      <p className="flush">
        {t`It keeps the filter, order and columns that the list has now, instead of the previous
          ones.`}
      </p>
    </AskingForm>
  );
}

export function RemoveForm({ view, onEnd }: FormProps) {
  const api = useApi();
  const onSuccess = useDone(onEnd);
  const remove = useMutation(api.savedViews.remove.mutationOptions({ onSuccess }));
  return (
    <AskingForm
      button={t`Remove view`}
      appearance="danger"
      state={remove}
      onCancel={onEnd}
      onSubmit={() => remove.mutate({ id: view.id })}
    >
      <p className="flush">
        {view.isShared
          ? t`Nobody will be able to find it any more.`
          : t`You will no longer be able to find it.`}{" "}
        {t`What it shows stays as it is.`}
      </p>
    </AskingForm>
  );
}

function useDone(onEnd: () => void): () => void {
  const changed = useReread("savedViews");
  return () => {
    changed();
    onEnd();
  };
}

function NameField({ name }: { readonly name?: string }) {
  return (
    <Field
      label={t`Name`}
      name="name"
      required
      maxLength={VIEW_NAME_MOST}
      defaultValue={name}
      autoComplete="off"
      data-autofocus
    />
  );
}

function ShareField({ isShared: isSharedNow = false }: { readonly isShared?: boolean }) {
  return (
    <label className={styles.option}>
      <input type="checkbox" name="shared" value="yes" defaultChecked={isSharedNow} />
      {t`Shared with everybody who may see the cluster`}
    </label>
  );
}

function isShared(ticked: FormFields["ticked"]): boolean {
  return ticked("shared").length > 0;
}
