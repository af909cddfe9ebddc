"use client";
import { type ControllerName, controllerOf } from "@cloudwright/core/model/controller-names";
import { t } from "@cloudwright/core/model/language/text";
import { objectName } from "@cloudwright/core/model/object-ref";
import type { ObjectEventRow } from "@cloudwright/store/views/object-events";
import { LogMessage } from "../../components/evidence/recorded-text.tsx";
import { Link } from "../../components/link.tsx";
import { formatCount } from "../../components/presentation/format-text.ts";
import { presentations } from "../../components/presentation/states.ts";
import { RowStatus } from "../../components/status/row-status.tsx";
import type { Column } from "../../components/table/column.ts";
import { column, textColumn, timeColumn } from "../../components/table/columns.tsx";
import { addresses } from "../../components/url/addresses.ts";

/** The columns of an object's Events: those of other components, and ours with their runs. */
export function objectEventColumns(cluster: string): readonly Column<ObjectEventRow>[] {
  return [
    timeColumn(["time", t`Time`, 116, { narrow: "second" }], ({ at }) => at),
    column(["type", t`Type`, 140, { narrow: "first" }], ({ type }) => (
      <RowStatus status={EVENT_TYPE_PRESENTATION[type]} />
    )),
    column(["reason", t`Event`, 200, { narrow: "line", pinned: true }], ({ reason }) => (
      <span className="strong" title={reason}>
        {reason}
      </span>
    )),
    column(["message", t`Message`, 320, { grows: true, folds: true, narrow: "line" }], (event) => (
      <LogMessage text={event.message} />
    )),
    column(["component", t`Sent by`, 190, { narrow: "line" }], ({ component, run }) =>
      run === undefined ? (
        <span title={component}>{component}</span>
      ) : (
        <SenderLink href={addresses.run(cluster, run.id)} controller={run.controller} />
      ),
    ),
    column(["count", t`Count`, 80, { align: "end" }], ({ count }) => formatCount(count)),
    timeColumn(["first", t`First`, 116], ({ firstAt }) => firstAt),
    textColumn(["object", t`Object`, 190], ({ object }) => `${object.kind} ${objectName(object)}`),
  ];
}

function SenderLink({
  href,
  controller,
}: {
  readonly href: string;
  readonly controller: ControllerName;
}) {
  const sender = t`Cloudwright, ${controllerOf(controller).label}`;
  return (
    <Link href={href} title={sender} prefetch={false}>
      {sender}
    </Link>
  );
}

export const EVENT_TYPE_PRESENTATION = presentations<ObjectEventRow["type"]>({
  Normal: {
    label: () => t`Normal`,
    shape: "disc",
    tone: "neutral",
    isUsual: true,
    help: () => t`It reports what was done.`,
  },
  Warning: {
    label: () => t`Warning`,
    shape: "octagon",
    tone: "stuck",
    help: () => t`It reports what did not work.`,
  },
});
