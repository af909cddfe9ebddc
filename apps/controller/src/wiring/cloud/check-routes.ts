import type { Provider } from "@cloudwright/provider-api";
import { selectedControllers } from "../../flags/controller-selection.ts";
import type { FlagValues } from "../../flags/definitions/all.ts";
import { PlainError } from "../../plain-error.ts";
import { flagAgainst, lackOf } from "../controllers/controller-needs.ts";

const ROUTES = "node-route-controller";

/** Upstream's exit code for a controller that cannot be started (spec/00 §16). */
const CANNOT_START = 255;

/**
 * Routes need to know the range of the pods, as only there any may be deleted (spec/40 §1). Throws PlainError, unless nobody
 * wants routes or the provider has none. What is wrong with a range that is given is reported before.
 */
export function checkRoutes(flags: FlagValues, provider: Pick<Provider, "routes">): void {
  const isSelected = selectedControllers(flags).includes(ROUTES);
  if (!isSelected || flagAgainst(flags, ROUTES) !== undefined) return;
  if (lackOf(provider, ROUTES) !== undefined) return;
  if (flags["cluster-cidr"].length === 0) throw new PlainError(MISSING, { exitCode: CANNOT_START });
}

const MISSING =
  "--cluster-cidr is not set: the route controller needs the range of the pods, for example --cluster-cidr=10.244.0.0/16; or turn it off by --configure-cloud-routes=false.";
