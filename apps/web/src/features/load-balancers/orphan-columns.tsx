"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { OrphanRow, OrphanSort } from "@cloudwright/store/views/load-balancers";
import { CopiedCode } from "../../components/button/copy-button.tsx";
import { EnglishText } from "../../components/evidence/recorded-text.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import { Nothing } from "../../components/nothing.tsx";
import type { Column } from "../../components/table/column.ts";
import { column, textColumn } from "../../components/table/columns.tsx";
import { SinceText, TimeText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { ActionButton } from "../../platform/actions/action-button.tsx";
import { orphanRemoval } from "../../platform/actions/action-choice.ts";
import { stateWord } from "../../platform/actions/state-words.ts";
import styles from "./load-balancers.module.css";

type OrphanColumn = Column<OrphanRow, OrphanSort>;

/** The columns for a load balancer without a Service, with the button that removes it. */
export function orphanColumns(): readonly OrphanColumn[] {
  return [
    column(
      ["balancer", t`Load balancer`, 220, { sort: "name", narrow: "first", pinned: true }],
      ({ name }) => <CopiedCode strong text={name} label={t`Copy the ID ${name}`} />,
    ),
    column(
      ["service", t`Former owner`, 160, { narrow: "line" }],
      ({ detail: { service, serviceUid } }) => <Was service={service} uid={serviceUid} />,
    ),
    column(
      ["since", t`Orphan for`, 108, { sort: "since", align: "end", narrow: "second" }],
      ({ detail }) => <SinceText at={detail.firstSeenAt} />,
    ),
    column(["cost", t`Cost`, 170], ({ detail: { costHint } }) =>
      costHint === undefined ? <Nothing /> : <EnglishText text={costHint} />,
    ),
    column(["remove", t`Remove`, 190, { narrow: "line" }], (row) => <Removal row={row} />),
    ...cloudColumns(),
  ];
}

function cloudColumns(): readonly OrphanColumn[] {
  return [
    textColumn(["address", t`Address`, 140], ({ detail }) => detail.actual.addresses.join(", "), {
      isCode: true,
      isNews: true,
    }),
    textColumn(["cloud-state", t`Cloud says`, 110], ({ detail }) => detail.actual.state, {
      isNews: true,
    }),
    textColumn(
      ["name", t`Name in the cloud`, 220, { grows: true }],
      ({ detail }) => detail.actual.name,
      { isCode: true },
    ),
  ];
}

/** The page of a deleted Service keeps its history. */
function Was({ service, uid }: { readonly service: string | undefined; readonly uid: string }) {
  const cluster = useClusterId();
  if (service === undefined) return <code title={uid}>{uid}</code>;
  return (
    <Link className="plain-link" href={addresses.balancer(cluster, service)} prefetch={false}>
      {service}
    </Link>
  );
}

function Removal({ row }: { readonly row: OrphanRow }) {
  const cluster = useClusterId();
  const [open] = row.openIntents;
  const { removeAt } = row.detail;
  if (open !== undefined) {
    return (
      <Link href={addresses.action(cluster, open.id)} prefetch={false}>
        {t`Requested by ${open.actor}, ${stateWord(open.state)}`}
      </Link>
    );
  }
  return (
    <span className={styles.removal}>
      <ActionButton choice={orphanRemoval(cluster, row.name)} of={row.name} />
      {removeAt === undefined ? null : (
        <span className="quiet">{mixed`by itself ${<TimeText at={removeAt} />}`}</span>
      )}
    </span>
  );
}
