import type { ForeignRouteRow, RouteRow, StaleRouteRow } from "@cloudwright/store/views/routes";
import { type Field, field } from "../../components/table/field.ts";
import { leadingFields, trailingFields } from "../../components/table/record-fields.ts";
import { VERDICT_PRESENTATION } from "../../platform/objects/route-verdicts.ts";
import { FOREIGN_WORDS } from "./foreign-words.ts";

/** The fields of the export of node routes: the list's columns and more. */
export const ROUTE_FIELDS: readonly Field<RouteRow>[] = [
  ...leadingFields({ id: "node", header: "Node" }),
  field("ranges", "Pod ranges", ({ cells }) =>
    cells.map(({ cidr, verdict }) => `${cidr} ${VERDICT_PRESENTATION[verdict].label}`).join(", "),
  ),
  field("hop", "Next hop", ({ cells: [first] }) => first?.route?.nextHop ?? first?.wantedNextHop),
  field("table", "Table", ({ table }) => table),
  ...trailingFields(),
];

/** For our routes that no node asks for. */
export const STALE_ROUTE_FIELDS: readonly Field<Omit<StaleRouteRow, "openIntents">>[] = [
  ...leadingFields({ id: "route", header: "Route" }),
  field("destination", "Destination", ({ detail }) => detail?.destination),
  field("owner", "Former owner", ({ detail }) => detail?.owner),
  field("hop", "Next hop", ({ detail }) => detail?.nextHop),
  field("table", "Table", ({ detail }) => detail?.table),
  ...trailingFields(),
];

/** For foreign routes. */
export const FOREIGN_ROUTE_FIELDS: readonly Field<ForeignRouteRow>[] = [
  field("destination", "Destination", ({ destination }) => destination),
  field("place", "In the way", ({ inRange }) =>
    inRange ? FOREIGN_WORDS.inRange : FOREIGN_WORDS.elsewhere,
  ),
  field("hop", "Next hop", ({ nextHop, blackhole }) =>
    blackhole ? FOREIGN_WORDS.goneHop : nextHop,
  ),
  field("owner", "Belongs to", ({ owner }) => owner),
  field("table", "Table", ({ table, tableName }) => (tableName === "" ? table : tableName)),
  field("name", "Name", ({ name }) => name),
  field("route", "Route", ({ id }) => id),
];
