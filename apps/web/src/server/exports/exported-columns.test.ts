// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import type { Column } from "../../components/table/column.ts";
import type { Field } from "../../components/table/field.ts";
import { actionColumns } from "../../features/actions/action-columns.tsx";
import { ACTION_FIELDS } from "../../features/actions/action-fields.ts";
import { changeColumns } from "../../features/changes/change-columns.tsx";
import { CHANGE_FIELDS } from "../../features/changes/change-fields.ts";
import { DRY_RUN_FIELDS } from "../../features/dry-run/dry-run-fields.ts";
import { dryRunColumns } from "../../features/dry-run/dry-run-page.tsx";
import { MEMBER_FIELDS } from "../../features/load-balancers/detail/member-fields.ts";
import { memberColumns } from "../../features/load-balancers/detail/members-tab.tsx";
import { loadBalancerColumns } from "../../features/load-balancers/load-balancer-columns.tsx";
import {
  LOAD_BALANCER_FIELDS,
  ORPHAN_FIELDS,
} from "../../features/load-balancers/load-balancer-fields.ts";
import { orphanColumns } from "../../features/load-balancers/orphan-columns.tsx";
import { NODE_FIELDS } from "../../features/nodes/node-fields.ts";
import { nodeColumns } from "../../features/nodes/nodes-page.tsx";
import { foreignColumns } from "../../features/routes/foreign-tab.tsx";
import { routeColumns } from "../../features/routes/route-columns.tsx";
import {
  FOREIGN_ROUTE_FIELDS,
  ROUTE_FIELDS,
  STALE_ROUTE_FIELDS,
} from "../../features/routes/route-fields.ts";
import { staleColumns } from "../../features/routes/stale-tab.tsx";
import { adoptedColumns } from "../../features/takeover/adopted-list.tsx";
import {
  ADOPTED_FIELDS,
  REPORTED_FIELDS,
  WAITING_FIELDS,
} from "../../features/takeover/takeover-fields.ts";
import { reportedColumns } from "../../features/takeover/takeover-page.tsx";
import { waitingColumns } from "../../features/takeover/waiting-list.tsx";
import { volumeColumns } from "../../features/volumes/volume-columns.tsx";
import { VOLUME_FIELDS } from "../../features/volumes/volume-fields.ts";
import { routeAdoption } from "../../platform/actions/action-choice.ts";
import { objectEventColumns } from "../../platform/objects/object-event-columns.tsx";
import { OBJECT_EVENT_FIELDS } from "../../platform/objects/object-event-fields.ts";
import { runColumns } from "../../platform/runs/run-columns.tsx";
import { RUN_FIELDS } from "../../platform/runs/run-fields.ts";

/** Columns of buttons are not exported. */
const DONE_IN_ROWS = ["retry", "remove", "adopt"];
/** Columns that combine several figures in a cell; a file has the figures separately. */
const APART = ["Queue + work", "Cloud + kube"];

const NO_CHOICE = routeAdoption({ cluster: "c", name: "w-1", uid: "u-1" }, "r-1");

type Head = Pick<Column<never>, "id" | "header">;

describe("a file of a list", () => {
  it.each<[string, readonly Head[], readonly Pick<Field<never>, "id" | "header">[]]>([
    ["nodes", nodeColumns("c"), NODE_FIELDS],
    ["load balancers", loadBalancerColumns("c"), LOAD_BALANCER_FIELDS],
    ["orphans", orphanColumns(), ORPHAN_FIELDS],
    ["routes", routeColumns("c", undefined), ROUTE_FIELDS],
    ["stale routes", staleColumns("c", undefined), STALE_ROUTE_FIELDS],
    ["foreign routes", foreignColumns(), FOREIGN_ROUTE_FIELDS],
    ["volumes", volumeColumns("c"), VOLUME_FIELDS],
    ["runs", runColumns({ withObject: true }), RUN_FIELDS],
    ["changes", changeColumns("c", { from: 1, to: 2 }), CHANGE_FIELDS],
    ["Events", objectEventColumns("c"), OBJECT_EVENT_FIELDS],
    ["actions", actionColumns("c"), ACTION_FIELDS],
    ["the dry run", dryRunColumns("c"), DRY_RUN_FIELDS],
    ["what waits for consent", waitingColumns("c", () => NO_CHOICE), WAITING_FIELDS],
    ["what was adopted", adoptedColumns("c"), ADOPTED_FIELDS],
    ["what is only reported", reportedColumns("c"), REPORTED_FIELDS],
    ["members", memberColumns("c"), MEMBER_FIELDS],
  ])("of %s has every column of the page under its name", (_list, columns, fields) => {
    const known = new Map(fields.map(({ id, header }) => [id, header.replace(/ \(ms\)$/, "")]));
    expect(known.size).toBe(fields.length);
    const shown = columns.filter(({ id }) => !DONE_IN_ROWS.includes(id));
    for (const { id, header } of shown) {
      expect(known.has(id), `${id} in the file`).toBe(true);
      if (!APART.includes(header)) expect(known.get(id)).toBe(header);
    }
  });
});
