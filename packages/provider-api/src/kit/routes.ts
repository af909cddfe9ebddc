import { conformanceCases } from "./conformance-case.ts";
import { routeFaultCases } from "./routes/fault-cases.ts";
import type { RouteNeed, RoutesFixture } from "./routes/fixture.ts";
import { routeLifeCases } from "./routes/life-cases.ts";
import { routeOwnerCases } from "./routes/owner-cases.ts";

/** What every provider's `routes` must do (spec/60 §5 and §8, DESIGN.md "Provider"). */
export const routeCases = conformanceCases<RoutesFixture, RouteNeed>(
  [...routeLifeCases, ...routeOwnerCases, ...routeFaultCases],
  (need, fixture) =>
    need === "storesOwner" ? fixture.routes.abilities.storesOwner : fixture[need] !== undefined,
);
