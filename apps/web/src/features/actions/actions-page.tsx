"use client";
import { INTENT_STATES, type ListedIntent } from "@cloudwright/core/model/actions/intent";
import { formatCount } from "@cloudwright/core/model/language/counts";
import { t } from "@cloudwright/core/model/language/text";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "../../components/api.ts";
import { mixed } from "../../components/language/mixed-text.ts";
import { ChoiceMenu } from "../../components/menu/choice-menu.tsx";
import page from "../../components/page/page.module.css";
import { DroppedNote } from "../../components/page/page-head.tsx";
import { EmptyState } from "../../components/page/panel-states.tsx";
import { usePeek } from "../../components/peek-panel/use-peek.ts";
import { INTENT_PRESENTATION } from "../../components/presentation/outcomes.ts";
import { type ChangeView, useClusterId, useUrlState } from "../../components/url/use-url-state.ts";
import { useFetched } from "../../components/use-fetched.ts";
import { WaitingApprovals } from "../../platform/approvals/waiting-approvals.tsx";
import { UnreadComments } from "../../platform/comments/unread-comments.tsx";
import { SearchedList } from "../../platform/lists/searched-list.tsx";
import { PAGED } from "../../platform/lists/use-loaded-rows.ts";
import { useCluster } from "../../platform/live/use-cluster.ts";
import { actionColumns } from "./action-columns.tsx";
import {
  type ActionsView,
  actionsFilter,
  actionsUrl,
  isFiltered,
  verbChoices,
  withoutFilters,
  withState,
  withVerb,
} from "./actions-url.ts";

const URL_OF_LIST = {
  format: (view: ActionsView) => actionsUrl.format({ ...view, peek: undefined }),
  withoutFilters,
};

const loadPeek = () => import("./action-peek.tsx").then(({ ActionPeek }) => ActionPeek);

export function ActionsPage() {
  const cluster = useClusterId();
  const { view, dropped, push, replace } = useUrlState(actionsUrl);
  const asked = { filter: actionsFilter(view), sort: NEWEST_FIRST };
  const actions = useActions(cluster, asked);
  const columns = useMemo(() => actionColumns(cluster), [cluster]);
  const peek = usePeek({ view, push, replace });
  const ActionPeek = useFetched(loadPeek, peek.current);
  return (
    <div className={page.page}>
      <header className={page.header}>
        <h1 className={page.title}>{t`Actions`}</h1>
        <p className="lead second">{useSentence(cluster)}</p>
      </header>
      <WaitingApprovals most={10} />
      <DroppedNote dropped={dropped} />
      <UnreadComments list={actions.data} />
      <SearchedList
        label={t`Actions`}
        thing="action"
        filter={t`Filter actions`}
        placeholder={t`Object, requester, reason or result`}
        tools={<FilterMenus view={view} push={push} />}
        {...{ view, push, replace, columns }}
        url={URL_OF_LIST}
        query={actions}
        table="actions"
        exported={asked}
        isFiltered={isFiltered(view)}
        none={<NoneYet />}
        rowKey={idOf}
        peek={{ ...peek, idOf }}
        beside={
          peek.current === undefined || ActionPeek === undefined ? null : (
            <ActionPeek id={peek.current} onClose={() => peek.onPeek(undefined)} />
          )
        }
      />
    </div>
  );
}

/** Counts the requested actions that are not over yet. */
function useSentence(cluster: string): string {
  const { data } = useCluster(cluster);
  if (data === undefined) return "";
  const { openIntents } = data;
  if (openIntents === 0) return t`No action is open.`;
  return openIntents === 1
    ? t`1 action is open.`
    : t`${formatCount(openIntents)} actions are open.`;
}

function FilterMenus({
  view,
  push,
}: {
  readonly view: ActionsView;
  readonly push: ChangeView<ActionsView>;
}) {
  const verbs = verbChoices();
  const chosen = verbs.filter(({ kinds }) => kinds.some((kind) => view.verbs.includes(kind)));
  return (
    <>
      <ChoiceMenu
        label={t`State`}
        choices={INTENT_STATES.map((id) => ({ id, label: INTENT_PRESENTATION[id].label }))}
        chosen={new Set(view.states)}
        onToggle={(id) => push((now) => withState(now, id))}
      />
      <ChoiceMenu
        label={t`Action`}
        choices={verbs}
        chosen={new Set(chosen.map(({ id }) => id))}
        onToggle={(id) => {
          const choice = verbs.find((one) => one.id === id);
          if (choice !== undefined) push((now) => withVerb(now, choice));
        }}
      />
    </>
  );
}

function NoneYet() {
  return (
    <EmptyState title={t`No actions have been requested yet`}>
      {mixed`Open a node and press ${<strong>{t`Retry now`}</strong>}: its progress and
        its record appear here.`}
    </EmptyState>
  );
}

function idOf({ id }: ListedIntent): string {
  return id;
}

const NEWEST_FIRST = { by: "requested", descending: true } as const;

function useActions(
  cluster: string,
  asked: {
    readonly filter: ReturnType<typeof actionsFilter>;
    readonly sort: typeof NEWEST_FIRST;
  },
) {
  const api = useApi();
  return useInfiniteQuery(
    api.intents.list.infiniteQueryOptions({ cluster, ...asked, limit: 100 }, PAGED),
  );
}
