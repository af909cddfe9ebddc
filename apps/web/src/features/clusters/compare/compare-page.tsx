"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { ClusterProcess, FleetSettings } from "@cloudwright/store/views/fleet";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../../components/api.ts";
import { IdentityText } from "../../../components/identity-text.tsx";
import { mixed } from "../../../components/language/mixed-text.ts";
import { Link } from "../../../components/link.tsx";
import page from "../../../components/page/page.module.css";
import { PageHead } from "../../../components/page/page-head.tsx";
import { Panel } from "../../../components/page/panel.tsx";
import { EmptyState, Pending } from "../../../components/page/panel-states.tsx";
import { addresses } from "../../../components/url/addresses.ts";
import { ExportMenu } from "../../../platform/lists/export-menu.tsx";
import type { SignedIn } from "../../../platform/viewer/viewer-context.tsx";
import { countOf } from "../../../platform/wording/action-title.ts";
import { FleetFrame } from "../fleet-frame.tsx";
import styles from "./compare.module.css";
import { compareSentence, differencesOf, differingVersions } from "./compare-messages.ts";
import { DifferencesTable } from "./differences-table.tsx";

const REFETCH_MS = 30_000;

/** The versions and flags of all clusters' controllers, and which of them differ from the others. */
export function ComparePage({ viewer }: { readonly viewer: SignedIn }) {
  const api = useApi();
  const settings = useQuery(
    api.fleet.settings.queryOptions(undefined, { refetchInterval: REFETCH_MS }),
  );
  const { data, dataUpdatedAt } = settings;
  return (
    <FleetFrame viewer={viewer} readAt={data === undefined ? undefined : dataUpdatedAt}>
      <nav aria-label={t`Back`}>
        <Link href={addresses.clusters()}>{t`All clusters`}</Link>
      </nav>
      <PageHead
        title={t`Versions and flags`}
        sentence={data === undefined ? undefined : compareSentence(data)}
      />
      {data === undefined ? (
        <Pending isCard query={settings} lines={6} />
      ) : (
        <Compared settings={data} />
      )}
    </FleetFrame>
  );
}

function NoCluster() {
  return (
    <EmptyState isCard title={t`No cluster has reported yet`}>
      {t`Versions and flags appear here when the first controllers of two clusters have started.`}
    </EmptyState>
  );
}

function Compared({ settings }: { readonly settings: FleetSettings }) {
  const { clusters } = settings;
  if (clusters.length === 0) return <NoCluster />;
  return (
    <>
      <div className={page.toolbar}>
        <span className="push" />
        <ExportMenu of={{ list: "compared-flags" }} />
      </div>
      <Versions clusters={clusters} />
      <Panel title={t`Flags that differ`}>
        <NotCompared clusters={clusters} />
        <Differences settings={settings} />
      </Panel>
    </>
  );
}

function NotCompared({ clusters }: { readonly clusters: readonly ClusterProcess[] }) {
  const silent = clusters.filter(({ process }) => process === undefined);
  if (silent.length === 0) return null;
  return (
    <p className="small quiet">
      {mixed`Not compared, as no process has reported its flags within the last hour:
        ${silent.map(({ name }) => name).join(", ")}.`}
    </p>
  );
}

function Differences({ settings }: { readonly settings: FleetSettings }) {
  const { clusters, same } = settings;
  const { some, own } = differencesOf(settings);
  if (clusters.filter(({ process }) => process !== undefined).length < 2) {
    return (
      <p className="second">{t`Flags are compared as soon as two clusters have reported theirs.`}</p>
    );
  }
  return (
    <>
      {some.length === 0 ? (
        <p className="second">
          {own.length === 0
            ? t`No flag differs. The same everywhere: ${countOf(same, "flag")}.`
            : t`No cluster stands out from the others.`}
        </p>
      ) : (
        <DifferencesTable
          caption={t`${countOf(some.length, "flag")}; ${same} more are the same everywhere`}
          flags={some}
          clusters={clusters}
        />
      )}
      {own.length === 0 ? null : (
        <details className={styles.more}>
          <summary>{mixed`${countOf(own.length, "flag")} with a different value in each cluster`}</summary>
          <DifferencesTable
            caption={t`A different value in each cluster`}
            flags={own}
            clusters={clusters}
          />
        </details>
      )}
    </>
  );
}

function Versions({ clusters }: { readonly clusters: readonly ClusterProcess[] }) {
  const others = differingVersions(clusters);
  return (
    <Panel title={t`Versions`}>
      <table className={styles.flags}>
        <caption className="visually-hidden">{t`Versions of the controllers of each cluster`}</caption>
        <thead>
          <tr>
            <th scope="col">{t`Cluster`}</th>
            <th scope="col">{t`Version`}</th>
            <th scope="col">{t`Cloud provider`}</th>
            <th scope="col">{t`Flags as reported by`}</th>
          </tr>
        </thead>
        <tbody>
          {clusters.map((each) => (
            <tr key={each.cluster}>
              <th scope="row">
                <Link href={addresses.controllers(each.cluster)} className="strong break">
                  {each.name}
                </Link>
              </th>
              <td data-header={t`Version`}>
                <Version versions={each.versions} isOther={others.has(each.cluster)} />
              </td>
              <td data-header={t`Cloud provider`}>{each.provider}</td>
              <td data-header={t`Flags as reported by`}>
                {each.process === undefined ? (
                  <span className="quiet">{t`nobody within the last hour`}</span>
                ) : (
                  <IdentityText identity={each.process.identity} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

function Version({
  versions,
  isOther,
}: {
  readonly versions: readonly string[];
  readonly isOther: boolean;
}) {
  if (versions.length === 0) return <span className="quiet">{t`not reported`}</span>;
  const text = versions.join(", ");
  if (!isOther) return text;
  return (
    <span className={`strong ${styles.other}`}>
      {text} <span className="small quiet light">{t`differs`}</span>
    </span>
  );
}
