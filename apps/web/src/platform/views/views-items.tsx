"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { SavedPage, SavedView } from "@cloudwright/store/views/saved-views";
import { Menu } from "@mantine/core";
import { useRouter, useSearchParams } from "next/navigation";
import { type MouseEvent, useRef, useState } from "react";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import type { MenuButton } from "../../components/menu/lazy-menu.tsx";
import { OpenMenu } from "../../components/menu/open-menu.tsx";
import { problemOf } from "../../components/problem.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { GoneView } from "./gone-view.tsx";
import { isSameSearch, PAGE_LABELS, sharing } from "./saved-view-words.ts";
import type { TableOf } from "./table-of.ts";
import { showColumnsOf, useSavedViews, viewHref } from "./use-saved-views.ts";
import styles from "./views.module.css";
import { ViewsDialog } from "./views-dialog.tsx";

type Task = "save" | "keep";

/** The menu of views: those of this list first, then those of other lists, then the commands. */
export function ViewsItems({
  button,
  page,
  of,
}: {
  readonly button: MenuButton;
  readonly page: SavedPage;
  readonly of: TableOf | undefined;
}) {
  const cluster = useClusterId();
  const query = useSavedViews();
  const { open, ...gone } = useOpening(query.refetch);
  const opener = useRef<HTMLButtonElement>(null);
  const [task, setTask] = useState<Task | undefined>(undefined);
  const [lastTask, setLastTask] = useState<Task>("save");
  const begin = (next: Task) => () => {
    setLastTask(next);
    setTask(next);
  };
  const views = (query.data ?? []).filter((view) => (view.cluster ?? cluster) === cluster);
  const others = views.filter((view) => view.page !== page);
  return (
    <>
      <OpenMenu
        button={button}
        buttonRef={opener}
        position="bottom-end"
        width={290}
        maxHeight={420}
        onOpen={() => void query.refetch({ cancelRefetch: false })}
      >
        <Menu.Label>{mixed`Views of ${PAGE_LABELS[page]}`}</Menu.Label>
        <ViewLines views={views.filter((view) => view.page === page)} onOpen={open} />
        <NoViews query={query} isAny={views.length > others.length} />
        {others.length === 0 ? null : <Menu.Label>{t`Of other lists`}</Menu.Label>}
        <ViewLines views={others} onOpen={open} withPage />
        <Menu.Divider />
        <Menu.Item onClick={begin("save")}>{t`Save this view…`}</Menu.Item>
        {views.some(({ mayChange }) => mayChange) ? (
          <Menu.Item onClick={begin("keep")}>{t`Change views…`}</Menu.Item>
        ) : null}
      </OpenMenu>
      <ViewsDialog
        task={lastTask}
        isOpen={task !== undefined}
        opener={opener.current ?? undefined}
        views={views}
        onClose={() => setTask(undefined)}
        {...{ page, of }}
      />
      <GoneView opener={opener.current ?? undefined} {...gone} />
    </>
  );
}

type OpenView = (event: MouseEvent, view: SavedView) => void;

/** Opens a view as it is now, because others may have changed or removed it while the menu was open. */
function useOpening(reread: ReturnType<typeof useSavedViews>["refetch"]) {
  const cluster = useClusterId();
  const router = useRouter();
  const [name, setName] = useState("");
  const [isOpen, setOpen] = useState(false);
  const openNow = async (chosen: SavedView) => {
    const { data, error } = await reread();
    const now = error === null ? data?.find(({ id }) => id === chosen.id) : chosen;
    if (now === undefined) {
      setName(chosen.name);
      setOpen(true);
      return;
    }
    showColumnsOf(now);
    router.push(viewHref(now, cluster));
  };
  const open: OpenView = (event, view) => {
    // The browser opens it in another tab or window.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return showColumnsOf(view);
    event.preventDefault();
    void openNow(view);
  };
  return { open, name, isOpen, onClose: () => setOpen(false) };
}

/** Says that there are none, or why that is not known. */
function NoViews({
  query,
  isAny,
}: {
  readonly query: ReturnType<typeof useSavedViews>;
  readonly isAny: boolean;
}) {
  if (query.error !== null) {
    return (
      <p className={`flush small failure ${styles.line}`}>{problemOf(query.error).sentence}</p>
    );
  }
  if (query.data === undefined)
    return <p className={`flush small quiet ${styles.line}`}>{t`Loading…`}</p>;
  if (isAny) return null;
  return (
    <p className={`flush small quiet ${styles.line}`}>
      {t`None yet. A view keeps filter, order and columns.`}
    </p>
  );
}

function ViewLines({
  views,
  onOpen,
  withPage = false,
}: {
  readonly views: readonly SavedView[];
  readonly onOpen: OpenView;
  readonly withPage?: boolean;
}) {
  const cluster = useClusterId();
  const search = useSearchParams().toString();
  return views.map((view) => {
    const isShown = !withPage && isSameSearch(view.search, search);
    return (
      <Menu.Item
        key={view.id}
        component={Link}
        href={viewHref(view, cluster)}
        aria-current={isShown ? "true" : undefined}
        onClick={(event: MouseEvent) => onOpen(event, view)}
      >
        <span className={`flex apart gap-3 ${styles.view}`}>
          <span className={`break ${isShown ? "bold" : ""}`}>{view.name}</span>
          <span className="second small rigid">
            {withPage ? PAGE_LABELS[view.page] : mark(view)}
          </span>
        </span>
      </Menu.Item>
    );
  });
}

/** Private is the default, so it is not marked. */
function mark(view: SavedView): string {
  return view.isShared ? sharing(view) : "";
}
