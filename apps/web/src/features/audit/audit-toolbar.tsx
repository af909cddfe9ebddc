"use client";
import { AUDIT_RESULTS } from "@cloudwright/core/model/audit/audit";
import { t, worded } from "@cloudwright/core/model/language/text";
import type { AuditRow } from "@cloudwright/store/views/views";
import { useCallback } from "react";
import { Button } from "../../components/button/button.tsx";
import { ChoiceMenu } from "../../components/menu/choice-menu.tsx";
import page from "../../components/page/page.module.css";
import { SearchBox } from "../../components/search-box.tsx";
import type { Column } from "../../components/table/column.ts";
import { TimeRangeButtons } from "../../components/time/time-range-buttons.tsx";
import type { ChangeView } from "../../components/url/use-url-state.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { ListMenus } from "../../platform/lists/list-menus.tsx";
import { RESULT_PRESENTATION } from "../../platform/wording/audit-messages.ts";
import { parseAuditFilter, toggleAuditTerm } from "./audit-grammar.ts";
import { type AuditFilter, type AuditView, chainOf } from "./audit-url.ts";
import { VERB_LABELS } from "./audit-verbs.ts";

const CHAINS = worded({
  cluster: () => t`This cluster`,
  accounts: () => t`Accounts`,
});

export function AuditToolbar({
  view,
  filter,
  columns,
  push,
  replace,
}: {
  readonly view: AuditView;
  readonly filter: AuditFilter;
  readonly columns: readonly Column<AuditRow>[];
  readonly push: ChangeView<AuditView>;
  readonly replace: ChangeView<AuditView>;
}) {
  const cluster = useClusterId();
  const onText = useCallback((text: string) => replace((now) => ({ ...now, text })), [replace]);
  return (
    <div className={page.toolbar}>
      <SearchBox
        label={t`Filter entries`}
        placeholder="actor:ana action:node.* object:w-9 result:refused"
        value={view.text}
        onChange={onText}
      />
      <span className={page.wideOnly}>
        <TermMenus view={view} push={push} />
      </span>
      <fieldset className={`pad-0 flush frameless ${page.plainGroup}`}>
        <legend className="visually-hidden">{t`Which record`}</legend>
        {(["cluster", "accounts"] as const).map((chain) => (
          <Button
            key={chain}
            appearance={view.chain === chain ? "plain" : "quiet"}
            active={view.chain === chain}
            aria-pressed={view.chain === chain}
            onClick={() => push((now) => ({ ...now, chain, peek: undefined }))}
          >
            {CHAINS[chain]}
          </Button>
        ))}
      </fieldset>
      {view.chain === "cluster" ? (
        <Button
          appearance={view.previews ? "plain" : "quiet"}
          active={view.previews}
          aria-pressed={view.previews}
          title={t`Entries of previews, which change nothing`}
          onClick={() => push((now) => ({ ...now, previews: !now.previews }))}
        >
          {t`Previews`}
        </Button>
      ) : null}
      <TimeRangeButtons time={view} onChange={(time) => push((now) => ({ ...now, ...time }))} />
      <ListMenus
        table="audit"
        columns={columns}
        exported={{ cluster: chainOf(cluster, view), filter }}
      />
    </div>
  );
}

function TermMenus({
  view,
  push,
}: {
  readonly view: AuditView;
  readonly push: ChangeView<AuditView>;
}) {
  const { selection } = parseAuditFilter(view.text);
  const toggle = (name: string) => (value: string) =>
    push((now) => ({ ...now, text: toggleAuditTerm(now.text, name, value) }));
  return (
    <>
      <ChoiceMenu
        label={t`Action`}
        choices={Object.entries(VERB_LABELS).map(([id, label]) => ({ id, label }))}
        chosen={new Set(selection.action === undefined ? [] : [selection.action])}
        onToggle={toggle("action")}
      />
      <ChoiceMenu
        label={t`Result`}
        choices={AUDIT_RESULTS.map((id) => ({ id, label: RESULT_PRESENTATION[id].label }))}
        chosen={new Set(selection.result === undefined ? [] : [selection.result])}
        onToggle={toggle("result")}
      />
    </>
  );
}
