"use client";
import type { OrphanRow, OrphanSort } from "@cloudwright/store/views/balancers";
import { CopyButton } from "../../components/button/copy-button.tsx";
import { Link } from "../../components/link.tsx";
import { Nothing } from "../../components/nothing.tsx";
import type { Column } from "../../components/table/column.ts";
import { SinceText, TimeText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { ActionButton } from "../../platform/actions/action-button.tsx";
import { orphanRemoval } from "../../platform/actions/action-choice.ts";
import styles from "./load-balancers.module.css";

type OrphanColumn = Column<OrphanRow, OrphanSort>;

/** What is known of a load balancer that nobody asks for, and the way to be rid of it. */
export function orphanColumns(cluster: string): readonly OrphanColumn[] {
  return [
    {
      id: "balancer",
      header: "Load balancer",
      width: 220,
      sort: "name",
      narrow: "first",
      pinned: true,
      cell: ({ name }) => (
        <span className={styles.copied}>
          <code className={styles.name} title={name}>
            {name}
          </code>
          <CopyButton text={name} label={`Copy the id ${name}`} />
        </span>
      ),
    },
    {
      id: "service",
      header: "Was of",
      width: 160,
      narrow: "line",
      cell: ({ detail: { service, serviceUid } }) => (
        <Was cluster={cluster} service={service} uid={serviceUid} />
      ),
    },
    {
      id: "since",
      header: "Orphan for",
      width: 108,
      sort: "since",
      align: "end",
      narrow: "second",
      cell: ({ detail }) => <SinceText at={detail.firstSeenAt} />,
    },
    {
      id: "cost",
      header: "Cost",
      width: 170,
      cell: ({ detail: { costHint } }) => costHint ?? <Nothing />,
    },
    {
      id: "remove",
      header: "Remove",
      width: 190,
      narrow: "line",
      cell: (row) => <Removal cluster={cluster} row={row} />,
    },
    ...cloudColumns(),
  ];
}

function cloudColumns(): readonly OrphanColumn[] {
  return [
    {
      id: "address",
      header: "Address",
      width: 140,
      value: ({ detail }) => detail.actual.addresses.join(", "),
      cell: ({ detail: { actual } }) => {
        const text = actual.addresses.join(", ");
        return text === "" ? <Nothing /> : <code title={text}>{text}</code>;
      },
    },
    {
      id: "cloud-state",
      header: "Cloud says",
      width: 110,
      value: ({ detail }) => detail.actual.state,
      cell: ({ detail: { actual } }) => (actual.state === "" ? <Nothing /> : actual.state),
    },
    {
      id: "name",
      header: "Name in the cloud",
      width: 220,
      grows: true,
      cell: ({ detail: { actual } }) => <code title={actual.name}>{actual.name}</code>,
    },
  ];
}

/** The page of a Service that is gone keeps its history. */
function Was({
  cluster,
  service,
  uid,
}: {
  readonly cluster: string;
  readonly service: string | undefined;
  readonly uid: string;
}) {
  if (service === undefined) return <code title={uid}>{uid}</code>;
  return (
    <Link className={styles.plain} href={addresses.balancer(cluster, service)} prefetch={false}>
      {service}
    </Link>
  );
}

function Removal({ cluster, row }: { readonly cluster: string; readonly row: OrphanRow }) {
  const [open] = row.openIntents;
  const { removeAt } = row.detail;
  if (open !== undefined) {
    return (
      <Link href={addresses.action(cluster, open.id)} prefetch={false}>
        Asked for by {open.actor}, {open.state}
      </Link>
    );
  }
  return (
    <span className={styles.removal}>
      <ActionButton choice={orphanRemoval(cluster, row.name)}>
        Remove…<span className="visually-hidden"> {row.name}</span>
      </ActionButton>
      {removeAt === undefined ? null : (
        <span className={styles.quiet}>
          by itself <TimeText at={removeAt} />
        </span>
      )}
    </span>
  );
}
