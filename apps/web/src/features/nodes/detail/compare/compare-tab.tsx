"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { NodeDetail } from "@cloudwright/store/views/node-detail";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { useApi } from "../../../../components/api.ts";
import compare from "../../../../components/facts/compare-table.module.css";
import { mixed } from "../../../../components/language/mixed-text.ts";
import { Link } from "../../../../components/link.tsx";
import page from "../../../../components/page/page.module.css";
import { EmptyState, Pending } from "../../../../components/page/panel-states.tsx";
import { ScrollBox } from "../../../../components/scroll-edges/scroll-edges.tsx";
import { addresses } from "../../../../components/url/addresses.ts";
import { useClusterId } from "../../../../components/url/use-url-state.ts";
import styles from "../facts-tab.module.css";
import { comparePeers, type PeerFact } from "./compare-peers.ts";

/** The number of nodes offered to choose from. */
const PEERS_MOST = 100;

interface CompareTabProps {
  readonly node: NodeDetail;
  /** From the address; undefined until one is chosen. */
  readonly peer: string | undefined;
  /** `isChosen`: the user chose it, rather than the page by default. */
  readonly onPeer: (peer: string, isChosen: boolean) => void;
}

/** The node beside a healthy one of the same type: the first, or the one that the user chose, which stays whatever its state. */
export function CompareTab({ node, peer, onPeer }: CompareTabProps) {
  const cluster = useClusterId();
  const api = useApi();
  const { name, instanceType } = node.row;
  const healthy = useQuery(
    api.nodes.list.queryOptions(
      {
        cluster,
        filter: { states: ["ok"], types: [instanceType ?? ""] },
        sort: { by: "name", descending: false },
        limit: PEERS_MOST,
      },
      { enabled: instanceType !== undefined },
    ),
  );
  const peers = healthy.data?.rows.map((row) => row.name).filter((each) => each !== name);
  const first = peers?.[0];
  useEffect(() => {
    if (peer === undefined && first !== undefined) onPeer(first, false);
  }, [peer, first, onPeer]);
  if (instanceType === undefined) {
    return (
      <EmptyState isCard title={t`The type of this node is not known`}>
        {t`It is compared with a healthy node of the same instance type, once the cloud has
          reported the type.`}
      </EmptyState>
    );
  }
  if (peers === undefined) return <Pending isCard query={healthy} />;
  const shown = peer ?? first;
  if (shown === undefined) {
    return (
      <EmptyState isCard title={t`No other node of type ${instanceType} is OK`}>
        <Link href={addresses.nodes(cluster)}>{t`Show all nodes`}</Link>
      </EmptyState>
    );
  }
  const choices = peers.includes(shown) ? peers : [shown, ...peers];
  return <Beside node={node} peer={shown} choices={choices} onPeer={onPeer} />;
}

function Beside({
  node,
  peer,
  choices,
  onPeer,
}: {
  readonly node: NodeDetail;
  readonly peer: string;
  readonly choices: readonly string[];
  readonly onPeer: CompareTabProps["onPeer"];
}) {
  const cluster = useClusterId();
  const api = useApi();
  const other = useQuery(api.nodes.byName.queryOptions({ cluster, name: peer }));
  if (other.data === undefined) return <Pending isCard query={other} />;
  const rows = comparePeers(node, other.data);
  return (
    <div className={page.card}>
      <div className={compare.bar}>
        <p>{sentenceOf(rows, [node.row, other.data.row], <PeerLink name={peer} />)}</p>
        <label className="flex centred gap-2">
          {t`Compare with`}
          <select value={peer} onChange={({ currentTarget }) => onPeer(currentTarget.value, true)}>
            {choices.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </div>
      <ScrollBox className={styles.scroller}>
        <table className={styles.table}>
          <caption className="visually-hidden">
            {mixed`Facts of ${node.row.name} and of ${peer}`}
          </caption>
          <thead>
            <tr>
              <th scope="col">{t`Fact`}</th>
              <th scope="col">{node.row.name}</th>
              <th scope="col">{peer}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.label} row={row} names={[node.row.name, peer]} />
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </div>
  );
}

function PeerLink({ name }: { readonly name: string }) {
  return <Link href={addresses.node(useClusterId(), name)}>{name}</Link>;
}

/** A peer that was chosen earlier may no longer be healthy or of that type. */
function sentenceOf(
  rows: readonly PeerFact[],
  [node, peer]: readonly [NodeDetail["row"], NodeDetail["row"]],
  link: ReactNode,
): ReactNode {
  const count = rows.filter(({ differs }) => differs).length;
  const type = node.instanceType;
  if (peer.state !== "ok" || peer.instanceType !== type) {
    return count === 0
      ? mixed`No difference from ${link}.`
      : mixed`${count} of ${rows.length} facts differ from ${link}.`;
  }
  return count === 0
    ? mixed`No difference from ${link}, which is OK and also of type ${type}.`
    : mixed`${count} of ${rows.length} facts differ from ${link}, which is OK and also of
        type ${type}.`;
}

function Row({
  row,
  names: [node, peer],
}: {
  readonly row: PeerFact;
  readonly names: readonly [node: string, peer: string];
}) {
  return (
    <tr data-differs={row.differs}>
      <th scope="row">
        {row.label}
        {row.differs ? <span className="visually-hidden">{t` (differs)`}</span> : null}
      </th>
      <Value source={node} value={row.node} isWrong={row.differs} />
      <Value source={peer} value={row.peer} isWrong={false} />
    </tr>
  );
}

function Value({
  source,
  value,
  isWrong,
}: {
  readonly source: string;
  readonly value: string;
  readonly isWrong: boolean;
}) {
  return (
    <td data-source={source} data-wrong={isWrong}>
      {value === "" ? <span className={compare.nothing}>{t`nothing`}</span> : <code>{value}</code>}
    </td>
  );
}
