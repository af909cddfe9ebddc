import { controllerOf } from "@cloudwright/core/model/controller-names";
import { t, worded } from "@cloudwright/core/model/language/text";
import type { State } from "@cloudwright/core/model/state";
import type { Found, FoundObject } from "@cloudwright/store/views/find";
import type { RunRow } from "@cloudwright/store/views/views";
import { formatCount } from "../../../components/presentation/format-text.ts";
import { outcomePresentation } from "../../../components/presentation/outcomes.ts";
import { type Presentation, STATE_PRESENTATION } from "../../../components/presentation/states.ts";
import { addresses } from "../../../components/url/addresses.ts";
import { fullName, objectAddress } from "../../../components/url/object-address.ts";

/** Something that the palette found, and its address. */
export interface FoundEntry {
  readonly group: string;
  readonly label: string;
  readonly description: string;
  readonly status: Presentation | undefined;
  readonly href: string;
}

const GROUPS = worded({
  Node: () => t`Nodes`,
  Service: () => t`Load balancers`,
  LoadBalancer: () => t`Load balancers without a Service`,
  PersistentVolume: () => t`Volumes`,
  NodeRoutes: () => t`Routes of a node`,
  Route: () => t`Routes without a node`,
  RouteTable: () => t`Route tables`,
});

/** Groups what was found for a text: objects first, then runs and actions with this id. */
export function foundEntries(cluster: string, text: string, found: Found): readonly FoundEntry[] {
  const runs = found.runs.map((run) => runEntry(cluster, run));
  const all: FoundEntry = {
    group: t`Runs`,
    label: t`All ${formatCount(found.runCount)} runs of this request`,
    description: text,
    status: undefined,
    href: `${addresses.runs(cluster, `request:${text}`)}&from=all`,
  };
  return [
    ...objectEntries(cluster, found.objects),
    ...runs,
    ...(found.runCount > runs.length ? [all] : []),
    ...(found.intentId === undefined ? [] : [actionEntry(cluster, found.intentId)]),
  ];
}

function objectEntries(cluster: string, objects: readonly FoundObject[]): readonly FoundEntry[] {
  return Object.entries(GROUPS).flatMap(([kind, group]) =>
    objects
      .filter((object) => object.kind === kind)
      .flatMap((object) => {
        const href = objectAddress(cluster, object);
        return href === undefined ? [] : [{ ...objectText(object), group, href }];
      }),
  );
}

function objectText({ name, state, providerID, address }: FoundObject) {
  const status: Presentation = STATE_PRESENTATION[state satisfies State];
  return { label: name, description: providerID ?? address ?? status.label, status };
}

function runEntry(cluster: string, run: RunRow): FoundEntry {
  const status = outcomePresentation(run);
  return {
    group: t`Runs`,
    label: t`${controllerOf(run.controller).label} of ${fullName(run.object)}`,
    description: t`${status.label}, run ${run.id}`,
    status,
    href: addresses.run(cluster, run.id),
  };
}

function actionEntry(cluster: string, id: string): FoundEntry {
  return {
    group: t`Actions`,
    label: t`Action with this ID`,
    description: id,
    status: undefined,
    href: addresses.action(cluster, id),
  };
}
