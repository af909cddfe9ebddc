import type { ControllerName } from "@cloudwright/core/model/controller-names";
import type { Provider } from "@cloudwright/provider-api";
import { selectedControllers } from "../../flags/controller-selection.ts";
import type { FlagValues } from "../../flags/definitions/all.ts";
import { PlainError } from "../../plain-error.ts";
import { flagAgainst } from "../controllers/controller-needs.ts";

/**
 * `--adopt=report` promises to touch nothing that upstream's manager made. Where a provider keeps no marks nothing tells that
 * from what we made ourselves, so that the promise cannot be kept. Throws PlainError then.
 */
export function checkAdoption(
  flags: FlagValues,
  { name, loadBalancers, routes }: Pick<Provider, "name" | "loadBalancers" | "routes">,
): void {
  if (flags.adopt !== "report") return;
  const isRun = (controller: ControllerName) =>
    selectedControllers(flags).includes(controller) && flagAgainst(flags, controller) === undefined;
  const what = [
    ...(loadBalancers?.abilities.marks === false && isRun("service-lb-controller")
      ? ["load balancers"]
      : []),
    ...(routes?.abilities.marks === false && isRun("node-route-controller") ? ["routes"] : []),
  ];
  if (what.length === 0) return;
  throw new PlainError(
    `--adopt=report cannot be kept with the provider ${name}: its ${what.join(" and ")} carry no marks, so nothing tells what an earlier manager made from what Cloudwright made. Use --dry-run to see what would be changed, or leave --adopt=published.`,
  );
}
