"use client";
import type { SettingStatus } from "@cloudwright/core/model/controls";
import { t } from "@cloudwright/core/model/language/text";
import { settingOf } from "@cloudwright/core/model/settings/settings";
import type { ControllerInstanceView } from "@cloudwright/store/views/clusters";
import { useId } from "react";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import { TimeText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { ActionButton } from "../../platform/actions/action-button.tsx";
import { settingChange } from "../../platform/actions/setting-choice.ts";
import { ExportMenu } from "../../platform/lists/export-menu.tsx";
import styles from "./running-settings.module.css";
import {
  PART_LABELS,
  SETTING_PARTS,
  type SettingPart,
  type SettingRow,
  settingsOfPart,
} from "./setting-fields.ts";

/** The settings that can be changed while a cluster's controllers run, with who has changed them. */
export function RunningSettings({
  cluster,
  leader,
}: {
  readonly cluster: string;
  readonly leader: ControllerInstanceView;
}) {
  const id = useId();
  const { controls, version } = leader;
  return (
    <section className="stack" aria-labelledby={id}>
      <div className="flex centred apart">
        <h3 id={id} className={styles.heading}>
          {t`Settings`}
        </h3>
        {controls?.settings === undefined ? null : (
          <ExportMenu of={{ list: "settings", cluster }} what={t`Settings`} />
        )}
      </div>
      <p className="quiet small light">
        {mixed`These can be changed without a restart. All others are flags: the ${(
          <Link key="flags" href={addresses.settings("flags")}>
            {t`list of flags`}
          </Link>
        )} shows the line to change for each.`}
      </p>
      {controls?.settings === undefined ? (
        <p className="quiet small">
          {controls === undefined
            ? t`The leader has not reported its settings yet.`
            : t`The leader runs release ${version}, whose settings cannot be changed while it runs.`}
        </p>
      ) : (
        <SettingsTable
          cluster={cluster}
          settings={controls.settings}
          obstacle={settingsObstacle(leader)}
        />
      )}
    </section>
  );
}

function SettingsTable({
  cluster,
  settings,
  obstacle,
}: {
  readonly cluster: string;
  readonly settings: readonly SettingStatus[];
  readonly obstacle: string | undefined;
}) {
  const id = useId();
  return (
    <>
      {obstacle === undefined ? null : (
        <p id={id} className="small second">
          {obstacle}
        </p>
      )}
      <table className={styles.settings}>
        <caption className="visually-hidden">{t`Settings that can be changed`}</caption>
        <thead>
          <tr>
            <th scope="col">{t`Setting`}</th>
            <th scope="col">{t`Value`}</th>
            <th scope="col">{t`Set by`}</th>
            <th scope="col">
              <span className="visually-hidden">{t`Change`}</span>
            </th>
          </tr>
        </thead>
        {SETTING_PARTS.map((part) => (
          <PartOfSettings
            key={part}
            part={part}
            rows={settingsOfPart(settings, part)}
            {...{ cluster, obstacle }}
          />
        ))}
      </table>
    </>
  );
}

function PartOfSettings({
  cluster,
  part,
  rows,
  obstacle,
}: {
  readonly cluster: string;
  readonly part: SettingPart;
  readonly rows: readonly SettingRow[];
  readonly obstacle: string | undefined;
}) {
  if (rows.length === 0) return null;
  return (
    <tbody>
      <tr className={styles.part}>
        <th scope="rowgroup" colSpan={4}>
          {PART_LABELS[part]}
        </th>
      </tr>
      {rows.map((row) => (
        <SettingLine key={row.name} {...{ cluster, row, obstacle }} />
      ))}
    </tbody>
  );
}

function SettingLine({
  cluster,
  row: { name, status },
  obstacle,
}: {
  readonly cluster: string;
  readonly row: SettingRow;
  readonly obstacle: string | undefined;
}) {
  const { label, help } = settingOf(name);
  const { flag, override } = status;
  const from = override?.value ?? flag;
  return (
    <tr>
      <th scope="row">
        <span className="strong">{label}</span> <code className="quiet small">--{name}</code>
        <span className="block small second">{help}</span>
      </th>
      <td data-header={t`Value`}>
        <code className={override === undefined ? undefined : "strong"}>{from}</code>
      </td>
      <td data-header={t`Set by`}>
        <SetBy cluster={cluster} status={status} />
      </td>
      <td>
        <span className={`buttons ${styles.buttons}`}>
          <ActionButton
            choice={settingChange(cluster, { setting: name, from, value: from })}
            appearance="quiet"
            of={label}
            obstacle={obstacle}
          />
          {override === undefined ? null : (
            <ActionButton
              choice={settingChange(cluster, { setting: name, from, value: flag, reset: true })}
              appearance="quiet"
              of={label}
              obstacle={obstacle}
            >
              {t`Back to the flag…`}
            </ActionButton>
          )}
        </span>
      </td>
    </tr>
  );
}

function SetBy({
  cluster,
  status: { flag, override },
}: {
  readonly cluster: string;
  readonly status: SettingStatus;
}) {
  if (override === undefined) return <span className="second">{t`the flag`}</span>;
  const { by, at, why, intentId } = override;
  return (
    <span>
      <Link href={addresses.action(cluster, intentId)}>{by}</Link>, <TimeText at={at} />
      <span className="block small second break">“{why}”</span>
      <span className="block small second">
        {mixed`The flag says ${<code key="flag">{flag}</code>}.`}
      </span>
    </span>
  );
}

/** Returns why the leader cannot store a setting; undefined if it can. */
function settingsObstacle({ controls, dryRun }: ControllerInstanceView): string | undefined {
  if (dryRun) return t`This controller is in dry run: its settings cannot be changed.`;
  return controls?.unavailable;
}
