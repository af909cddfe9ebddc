"use client";
import type { SettingStatus } from "@cloudwright/core/model/controls";
import { t } from "@cloudwright/core/model/language/text";
import type { ClusterView } from "@cloudwright/store/views/clusters";
import type { ProcessSettings } from "@cloudwright/store/views/controllers";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { IdentityText } from "../../components/identity-text.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import { Pending } from "../../components/page/panel-states.tsx";
import { TimeText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { ExportMenu } from "../../platform/lists/export-menu.tsx";
import { countOf } from "../../platform/wording/action-title.ts";
import { EachCluster } from "./each-cluster.tsx";
import { flagLine } from "./flag-line.ts";
import own from "./flags-section.module.css";
import styles from "./settings.module.css";
import { SettingsPanel } from "./settings-panel.tsx";

const REFETCH_MS = 30_000;

/** The flags with which each cluster's controllers were started. The frame's cluster comes first. */
export function FlagsSection({ cluster }: { readonly cluster: string | undefined }) {
  return (
    <EachCluster
      first={cluster}
      refetchMs={REFETCH_MS}
      none={t`A cluster's flags appear here when its first controller starts.`}
    >
      {(view) => <ClusterFlags view={view} />}
    </EachCluster>
  );
}

function ClusterFlags({ view }: { readonly view: ClusterView }) {
  const api = useApi();
  const settings = useQuery(
    api.controllers.settings.queryOptions({ cluster: view.id }, { refetchInterval: REFETCH_MS }),
  );
  return (
    <SettingsPanel
      title={<Link href={addresses.controllers(view.id)}>{view.name}</Link>}
      aside={<ExportMenu of={{ list: "flags", cluster: view.id }} />}
    >
      {settings.data === undefined ? (
        <Pending query={settings} lines={6} />
      ) : (
        <Flags processes={settings.data} live={view.leader?.controls?.settings ?? NONE} />
      )}
    </SettingsPanel>
  );
}

const NONE: readonly SettingStatus[] = [];

function Flags({
  processes,
  live,
}: {
  readonly processes: readonly ProcessSettings[];
  /** The settings that can change without a restart. */
  readonly live: readonly SettingStatus[];
}) {
  const [first] = processes;
  if (first === undefined) {
    return (
      <p className="quiet small light">{t`No process has reported its flags in the last hour.`}</p>
    );
  }
  const { set, atDefault } = compareFlags(processes);
  const identity = <IdentityText identity={first.identity} />;
  const reported = <TimeText at={first.at} />;
  const below = <Link href={addresses.settings("controllers")}>{t`below the controllers`}</Link>;
  return (
    <>
      <p className="quiet small light">
        {first.leader
          ? mixed`As used by the leader ${identity}, reported ${reported}.`
          : mixed`As used by the standby ${identity}, reported ${reported}.`}{" "}
        {t`Secrets never leave the process: it reports only whether they are set.`}
      </p>
      <p className="quiet small light">
        {mixed`To change a flag, edit its line in the ${<code>args</code>} of the controller's
          Deployment or, in the chart, its name without dashes below ${<code>controller.flags</code>}.
          Each process then restarts.`}
        {live.length === 0 ? null : (
          <> {mixed`Some can be changed without a restart: they are ${below}.`}</>
        )}
      </p>
      {set.length === 0 ? (
        <p className="quiet small light">{t`Every flag has its default value.`}</p>
      ) : (
        <FlagsTable caption={t`Set: ${countOf(set.length, "flag")}`} flags={set} live={live} />
      )}
      <details className={own.more}>
        <summary>{t`${countOf(atDefault.length, "flag")} at the default`}</summary>
        <FlagsTable caption={t`At the default`} flags={atDefault} live={live} />
      </details>
    </>
  );
}

function FlagsTable({
  caption,
  flags,
  live,
}: {
  readonly caption: string;
  readonly flags: readonly ComparedFlag[];
  readonly live: readonly SettingStatus[];
}) {
  return (
    <table className={own.flags}>
      <caption className={`start small quiet ${styles.caption}`}>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{t`Flag`}</th>
          <th scope="col">{t`Value`}</th>
          <th scope="col">{t`Default`}</th>
          <th scope="col">{t`From`}</th>
          <th scope="col">{t`What it is`}</th>
        </tr>
      </thead>
      <tbody>
        {flags.map((compared) => (
          <FlagRow
            key={compared.flag.name}
            compared={compared}
            status={live.find(({ setting }) => setting === compared.flag.name)}
          />
        ))}
      </tbody>
    </table>
  );
}

function FlagRow({
  compared: { flag, others },
  status,
}: {
  readonly compared: ComparedFlag;
  /** Set if it can change without a restart. */
  readonly status: SettingStatus | undefined;
}) {
  return (
    <tr>
      <th scope="row">
        <code>--{flag.name}</code>
      </th>
      <td data-header={t`Value`}>
        <span>
          <FlagValue value={flag.value} />
          {others.map(({ identity, value }) => (
            <span key={identity} className="block small second">
              <IdentityText identity={identity} />: <FlagValue value={value} />
            </span>
          ))}
        </span>
      </td>
      <td data-header={t`Default`}>
        <FlagValue value={flag.initial} />
      </td>
      <td data-header={t`From`}>{sourceText(flag)}</td>
      <td className="second">
        {flag.help}
        {flag.idle === undefined ? (
          <HowToChange flag={flag} status={status} />
        ) : (
          <em> {t`No effect: ${flag.idle}.`}</em>
        )}
      </td>
    </tr>
  );
}

/** An empty value is shown in words: code without characters would be a grey speck. */
function FlagValue({ value }: { readonly value: string }) {
  return value === "" ? <span className="quiet">{t`empty`}</span> : <code>{value}</code>;
}

function HowToChange({
  flag,
  status,
}: {
  readonly flag: FlagSetting;
  readonly status: SettingStatus | undefined;
}) {
  if (status === undefined) {
    return (
      <span className="block small">
        {mixed`To change it, set ${<code>{flagLine(flag)}</code>} and restart.`}
      </span>
    );
  }
  return (
    <span className="block small">
      {status.override === undefined
        ? t`Can be changed without a restart.`
        : mixed`${<strong>{mixed`${status.override.by} has set ${<code>{status.override.value}</code>}`}</strong>}, which applies instead.`}
    </span>
  );
}

type FlagSetting = ProcessSettings["flags"][number];

/** One flag as the processes of a cluster have it. */
interface ComparedFlag {
  readonly flag: FlagSetting;
  /** The processes with a different value than the first, by identity. */
  readonly others: readonly { readonly identity: string; readonly value: string }[];
}

interface ComparedFlags {
  /** Set by a flag or the environment, or not the same everywhere. */
  readonly set: readonly ComparedFlag[];
  readonly atDefault: readonly ComparedFlag[];
}

/** Returns the flags of the first process, which is the leader if there is one, and where the others differ. */
export function compareFlags(processes: readonly ProcessSettings[]): ComparedFlags {
  const [first, ...others] = processes;
  const all = (first?.flags ?? []).map((flag) => ({ flag, others: differing(flag, others) }));
  const isSet = ({ flag, others: values }: ComparedFlag) =>
    flag.source !== "default" || values.length > 0;
  return { set: all.filter(isSet), atDefault: all.filter((flag) => !isSet(flag)) };
}

/** A dry run beside acting processes is started differently on purpose, so its flags are not compared. */
function differing(
  { name, value }: FlagSetting,
  others: readonly ProcessSettings[],
): ComparedFlag["others"] {
  return others
    .filter(({ dryRun }) => !dryRun)
    .flatMap(({ identity, flags }) => {
      const other = flags.find((flag) => flag.name === name);
      if (other === undefined || other.value === value) return [];
      return [{ identity, value: other.value }];
    });
}

function sourceText({ source }: FlagSetting): string {
  switch (source) {
    case "flag":
      return t`Flag`;
    case "environment":
      return t`Environment`;
    case "default":
      return t`Default`;
  }
}
