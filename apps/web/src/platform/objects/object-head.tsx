"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { Drift, State } from "@cloudwright/core/model/state";
import type { ReactNode } from "react";
import { DriftChip, StateChip } from "../../components/just-changed/record-chips.tsx";
import { Link } from "../../components/link.tsx";
import { TrailLinks } from "../../components/neighbours/neighbours.tsx";
import styles from "../../components/page/detail-page.module.css";
import page from "../../components/page/page.module.css";
import { ShareButton } from "../incidents/share-button.tsx";

/** The header of an object's page: the link back to its list, its name and state, and its actions while it exists. */
export function ObjectHead({
  list,
  object: { kind, name, uid, state, since, goneAt, drift },
  actions,
}: {
  readonly list: { readonly label: string; readonly href: string };
  readonly object: {
    readonly kind: string;
    /** Includes the namespace, if there is one. */
    readonly name: string;
    readonly uid: string;
    readonly state: State;
    readonly since: number;
    readonly goneAt: number | undefined;
    /** Undefined if the page says it elsewhere. */
    readonly drift: Drift | undefined;
  };
  readonly actions: ReactNode;
}) {
  const isQuiet = state === "ok" || state === "gone";
  const isThere = goneAt === undefined;
  return (
    <>
      <div className={`flex centred wrap at-end gap-1-4 ${styles.crumbs}`}>
        <nav aria-label={t`Breadcrumbs and neighbours`} className="flex fill nowrap gap-4">
          <Link href={list.href}>{list.label}</Link>
          <span className="push" />
          <TrailLinks />
        </nav>
        <ShareButton about={{ kind: "object", of: kind, name }} name={name} />
      </div>
      <header className="row">
        <h1 className={page.title}>{name}</h1>
        <StateChip of={uid} state={state} since={isQuiet ? undefined : since} prominent />
        {isThere && drift !== undefined ? <DriftChip of={uid} drift={drift} /> : null}
        <span className="push" />
        {isThere ? actions : null}
      </header>
    </>
  );
}
