import { type AllocationDraft, AllocationError } from "../../allocations/allocations.ts";
import { unexpected } from "../../http/api-error.ts";
import { invalidValue } from "../../rules/problem.ts";
import type { Admission } from "../cluster-state.ts";
import { refuse } from "./refuse.ts";
import {
  isHeadless,
  needsHealthCheckPort,
  needsNodePort,
  type Service,
  type ServiceSpec,
} from "./service.ts";
import { familiesOf, keepsBothFamilies, withFamilies } from "./service-families.ts";
import { chosenNodePorts, updatedNodePorts } from "./service-node-ports.ts";
import { withAllocatedValues, withBothClusterIpForms } from "./service-transitions.ts";

/**
 * Returns the service with its addresses and node ports: the requested ones, those it already has, and free ones. Runs before validation,
 * as upstream does. Throws ApiError 422, or 500 when a range is full.
 */
export function allocate(
  service: Service,
  before: Service | undefined,
  { allocations, dryRun }: Pick<Admission, "allocations" | "dryRun">,
): Service {
  const old = before?.spec;
  const kept = old === undefined ? service.spec : withAllocatedValues(service.spec, old);
  const formed = { ...service, spec: withBothClusterIpForms(kept, old) };
  const taken = dryRun ? allocations.dryDraft() : allocations.draft();
  const draft = new ServiceDraft(formed, old, taken);
  return { ...service, spec: draft.complete() };
}

class ServiceDraft {
  readonly #service: Service;
  readonly #before: ServiceSpec | undefined;
  readonly #draft: AllocationDraft;

  constructor(service: Service, before: ServiceSpec | undefined, draft: AllocationDraft) {
    this.#service = service;
    this.#before = before;
    this.#draft = draft;
  }

  complete(): ServiceSpec {
    const spec = withFamilies(this.#service, this.#before);
    return this.#withHealthPort(this.#withNodePorts(this.#withAddresses(spec)));
  }

  #withAddresses(spec: ServiceSpec): ServiceSpec {
    const before = this.#before;
    if (spec.type === "ExternalName") return spec;
    if (before === undefined || before.type === "ExternalName") {
      return isHeadless(spec) ? spec : this.#addressed(spec, 0);
    }
    if (keepsBothFamilies(spec, before) || isHeadless(before)) return spec;
    const isUpgraded = before.ipFamilies?.length === 1 && spec.ipFamilies?.length === 2;
    return isUpgraded ? this.#addressed(spec, 1) : spec;
  }

  /** Assigns each family, from the first one named, the requested address or a free one. */
  #addressed(spec: ServiceSpec, first: number): ServiceSpec {
    const given = spec.clusterIPs ?? [];
    const clusterIPs = familiesOf(spec).map((family, index) => {
      const wanted = given[index];
      if (index < first) return wanted ?? "";
      try {
        if (wanted === undefined || wanted === "") return this.#draft.nextAddress(family);
        this.#draft.takeAddress(family, wanted);
        return wanted;
      } catch (error) {
        const shown = familiesOf(spec).map((_family, place) => given[place] ?? "");
        return this.#refuseAddress(error, { shown, wanted });
      }
    });
    const [clusterIP] = clusterIPs;
    return clusterIP === undefined ? spec : { ...spec, clusterIP, clusterIPs };
  }

  #refuseAddress(
    error: unknown,
    { shown, wanted }: { readonly shown: readonly string[]; readonly wanted: string | undefined },
  ): never {
    const name = this.#service.metadata.name ?? "";
    if (!(error instanceof AllocationError)) throw error;
    if (wanted === undefined) {
      throw unexpected(
        `failed to allocate a serviceIP for Service ${JSON.stringify(name)}: ${error.message}`,
      );
    }
    refuse(name, [
      invalidValue("spec.clusterIPs", shown, `failed to allocate IP ${wanted}: ${error.message}`),
    ]);
    throw error;
  }

  #withNodePorts(spec: ServiceSpec): ServiceSpec {
    if (!needsNodePort(spec)) return spec;
    const name = this.#service.metadata.name ?? "";
    const request = { name, spec, draft: this.#draft };
    const ports =
      this.#before === undefined
        ? chosenNodePorts(request)
        : updatedNodePorts(request, this.#before);
    return ports.length === 0 ? spec : { ...spec, ports };
  }

  #withHealthPort(spec: ServiceSpec): ServiceSpec {
    const had = this.#before !== undefined && needsHealthCheckPort(this.#before);
    if (had || !needsHealthCheckPort(spec)) return spec;
    const wanted = spec.healthCheckNodePort;
    try {
      if (wanted === undefined) return { ...spec, healthCheckNodePort: this.#draft.nextPort() };
      this.#draft.takePort(wanted);
      return spec;
    } catch (error) {
      if (!(error instanceof AllocationError)) throw error;
      throw unexpected(
        wanted === undefined
          ? `failed to allocate a HealthCheck NodePort 0: ${error.message}`
          : `failed to allocate requested HealthCheck NodePort ${wanted}: ${error.message}`,
      );
    }
  }
}
