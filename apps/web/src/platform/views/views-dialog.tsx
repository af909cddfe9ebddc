"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { SavedList, SavedPage, SavedView } from "@cloudwright/store/views/saved-views";
import { useEffect, useRef, useState } from "react";
import { Button } from "../../components/button/button.tsx";
import { FormDialog } from "../../components/form/form.tsx";
import { useHiddenColumns } from "../../components/menu/hidden-columns.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { aboutView } from "./saved-view-words.ts";
import type { TableOf } from "./table-of.ts";
import { ChangeForm, RemoveForm, ReplaceForm, SaveForm } from "./view-forms.tsx";
import styles from "./views.module.css";

/** Saves what the list shows under a name, or changes a saved view. */
export function ViewsDialog({
  task,
  isOpen,
  opener,
  views,
  page,
  of,
  onClose,
}: {
  readonly task: "save" | "keep";
  readonly isOpen: boolean;
  readonly opener: HTMLElement | undefined;
  readonly views: readonly SavedView[];
  readonly page: SavedPage;
  readonly of: TableOf | undefined;
  readonly onClose: () => void;
}) {
  const listNow = useListNow(page, of);
  const title = task === "save" ? t`Save this view` : t`Change views`;
  return (
    <FormDialog {...{ title, isOpen, opener, onClose }}>
      {task === "save" ? (
        <SaveForm listNow={listNow} onClose={onClose} />
      ) : (
        <KeptViews
          views={views.filter(({ mayChange }) => mayChange)}
          {...{ page, listNow, onClose }}
        />
      )}
    </FormDialog>
  );
}

/** Returns the list's state at the time of the call, because the address may change while a dialog is open. */
function useListNow(page: SavedPage, of: TableOf | undefined): () => SavedList {
  const hidden = useHiddenColumns(of?.table ?? "");
  return () => ({
    page,
    search: window.location.search.replace(/^\?/, ""),
    columns:
      of === undefined
        ? undefined
        : {
            table: of.table,
            hidden: of.columns
              .filter(({ id, pinned }) => pinned !== true && hidden.has(id))
              .map(({ id }) => id),
          },
  });
}

interface Change {
  readonly kind: "change" | "replace" | "remove";
  readonly id: string;
}

/** Every view that the user may change, one of which is being changed. */
function KeptViews({
  views,
  page,
  listNow,
  onClose,
}: {
  readonly views: readonly SavedView[];
  readonly page: SavedPage;
  readonly listNow: () => SavedList;
  readonly onClose: () => void;
}) {
  const cluster = useClusterId();
  const [change, setChange] = useState<Change | undefined>(undefined);
  const box = useFocusHeld(change);
  if (views.length === 0) {
    return (
      <>
        <p role="status">{t`There is no view left that you may change.`}</p>
        <div ref={box} className="buttons at-end">
          <Button onClick={onClose}>{t`Close`}</Button>
        </div>
      </>
    );
  }
  const onEnd = () => setChange(undefined);
  return (
    <ul ref={box} className={`flush ${styles.list}`} aria-label={t`Views`}>
      {views.map((view) => (
        <li key={view.id} data-view={view.id} className="grid gap-2">
          <span className="grid">
            <strong className="break">{view.name}</strong>
            <span className="quiet small">{aboutView(view, cluster)}</span>
          </span>
          {change?.id === view.id ? (
            <ChangeOf kind={change.kind} {...{ view, listNow, onEnd }} />
          ) : (
            <ViewButtons isOfPage={view.page === page} view={view} onChange={setChange} />
          )}
        </li>
      ))}
    </ul>
  );
}

/** Moves the focus on when what had it is gone: to the form, back to the view, or to one that is left. Returns the ref of the box. */
function useFocusHeld(change: Change | undefined) {
  const box = useRef<HTMLElement>(null);
  const last = useRef<string | undefined>(undefined);
  useEffect(() => {
    last.current = change?.id ?? last.current;
    if (last.current === undefined || document.activeElement !== document.body) return;
    const find = (selector: string) => box.current?.querySelector<HTMLElement>(selector);
    const own = `[data-view="${last.current}"]`;
    (find(`${own} form :is(input, button)`) ?? find(`${own} button`) ?? find("button"))?.focus();
  });
  return (element: HTMLElement | null) => {
    box.current = element;
  };
}

function ChangeOf({
  kind,
  listNow,
  ...form
}: {
  readonly kind: Change["kind"];
  readonly view: SavedView;
  readonly listNow: () => SavedList;
  readonly onEnd: () => void;
}) {
  switch (kind) {
    case "change":
      return <ChangeForm {...form} />;
    case "replace":
      return <ReplaceForm {...form} listNow={listNow} />;
    case "remove":
      return <RemoveForm {...form} />;
  }
}

function ViewButtons({
  view: { id, name },
  isOfPage,
  onChange,
}: {
  readonly view: SavedView;
  readonly isOfPage: boolean;
  readonly onChange: (change: Change) => void;
}) {
  return (
    <div className="buttons">
      <Button
        aria-label={t`Rename or share ${name}`}
        onClick={() => onChange({ kind: "change", id })}
      >
        {t`Rename or share…`}
      </Button>
      {isOfPage ? (
        <Button aria-label={t`Replace ${name}`} onClick={() => onChange({ kind: "replace", id })}>
          {t`Replace…`}
        </Button>
      ) : null}
      <Button aria-label={t`Remove ${name}`} onClick={() => onChange({ kind: "remove", id })}>
        {t`Remove…`}
      </Button>
    </div>
  );
}
