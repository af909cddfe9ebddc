"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { NodeDetail } from "@cloudwright/store/views/node-detail";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { CopyButton } from "../../components/button/copy-button.tsx";
import facts from "../../components/facts/facts.module.css";
import { DriftChip, StateChip } from "../../components/just-changed/record-chips.tsx";
import { Link } from "../../components/link.tsx";
import { FetchedPeek } from "../../components/peek-panel/peek-panel.tsx";
import { OUTCOME_PRESENTATION } from "../../components/presentation/outcomes.ts";
import { StatusChip } from "../../components/status/status-chip.tsx";
import { TimeText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { RetryButton } from "../../platform/actions/retry-button.tsx";
import type { BesideProps } from "../../platform/lists/record-list.tsx";
import { DiagnosisText, NodeFactsLine, retried } from "./detail/node-header.tsx";

/** The first things that a node's page says: its state, the whole sentence, where it runs, and its actions. */
export function NodePeek({ name, onClose }: BesideProps) {
  const cluster = useClusterId();
  const api = useApi();
  const node = useQuery(api.nodes.byName.queryOptions({ cluster, name }));
  return (
    <FetchedPeek title={name} href={addresses.node(cluster, name)} onClose={onClose} query={node}>
      {(data) => <NodeSummary node={data} />}
    </FetchedPeek>
  );
}

function NodeSummary({ node }: { readonly node: NodeDetail }) {
  const cluster = useClusterId();
  const { row } = node;
  return (
    <>
      <div className="buttons centred apart">
        <StateChip of={row.uid} state={row.state} since={row.since} prominent />
        {node.goneAt === undefined ? (
          <RetryButton
            target={{ cluster, controller: retried(node), name: row.name, uid: row.uid }}
          />
        ) : null}
      </div>
      <DiagnosisText node={node} />
      <NodeFactsLine node={node} />
      <dl className={`grid centred gap-2-4 line-above ${facts.aligned}`}>
        <dt>{t`Provider ID`}</dt>
        <dd>
          <Copyable text={row.providerID} label={t`Copy the provider ID`} />
        </dd>
        <dt>{t`Addresses`}</dt>
        <dd>
          {row.addresses.length === 0 ? t`none` : null}
          {row.addresses.map(({ type, address }) => (
            <span key={`${type} ${address}`} className="block">
              <Copyable text={address} label={t`Copy the ${type}`} />{" "}
              <span className="quiet small">{type}</span>
            </span>
          ))}
        </dd>
        <dt>{t`Drift`}</dt>
        <dd>
          <DriftChip of={row.uid} drift={row.drift} />
        </dd>
        <dt>{t`Last run`}</dt>
        <dd>
          <Link
            href={addresses.run(cluster, row.lastRun.id)}
            className="plain-link"
            prefetch={false}
          >
            <StatusChip status={OUTCOME_PRESENTATION[row.lastRun.outcome]}>
              <TimeText at={row.lastRun.at} />
            </StatusChip>
          </Link>
        </dd>
      </dl>
    </>
  );
}

function Copyable({ text, label }: { readonly text: string | undefined; readonly label: string }) {
  return text === undefined ? (
    t`none`
  ) : (
    <>
      <code>{text}</code> <CopyButton text={text} label={label} />
    </>
  );
}
