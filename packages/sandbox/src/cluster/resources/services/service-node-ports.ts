import { type AllocationDraft, AllocationError } from "../../allocations/allocations.ts";
import { internalError, unexpected } from "../../http/api-error.ts";
import { invalidValue } from "../../rules/problem.ts";
import { refuse } from "./refuse.ts";
import { allocatesNodePorts, nodePortsOf, type ServicePort, type ServiceSpec } from "./service.ts";

export interface NodePortRequest {
  /** The service's name. */
  readonly name: string;
  readonly spec: ServiceSpec;
  readonly draft: AllocationDraft;
}

/**
 * Returns the node ports of a new service: the requested ones and free ones. Ports of the same number share a node port across protocols.
 * Throws ApiError.
 */
export function chosenNodePorts(request: NodePortRequest): readonly ServicePort[] {
  const { spec } = request;
  const ports = spec.ports ?? [];
  const chosen = new Map<number, number>();
  return ports.map((port, index) => {
    const { nodePort } = port;
    if (nodePort === undefined && !allocatesNodePorts(spec)) return port;
    const shared = chosen.get(port.port);
    if (shared === undefined) {
      const wanted = ports.find(
        (other) => other.port === port.port && other.nodePort !== undefined,
      );
      const given = pick(request, index, wanted?.nodePort);
      chosen.set(port.port, given);
      return { ...port, nodePort: given };
    }
    if (nodePort === undefined) return { ...port, nodePort: shared };
    if (nodePort !== shared) pick(request, index, nodePort);
    return port;
  });
}

/** Returns the node ports of a changed service, which keeps those it has. Throws ApiError. */
export function updatedNodePorts(
  request: NodePortRequest,
  before: ServiceSpec,
): readonly ServicePort[] {
  const { spec } = request;
  const own = new Set(nodePortsOf(before));
  const seen = new Set<string>();
  return (spec.ports ?? []).map((port, index) => {
    const { nodePort, protocol = "" } = port;
    if (nodePort === undefined && !allocatesNodePorts(spec)) return port;
    const isOwn = nodePort !== undefined && own.has(nodePort);
    const given = isOwn ? nodePort : pick(request, index, nodePort);
    own.add(given);
    refuseTwice(seen, `${protocol} ${given}`);
    return { ...port, nodePort: given };
  });
}

/** Upstream notices a duplicate here, before its rules would, and answers with a plain 500. */
function refuseTwice(seen: Set<string>, claim: string): void {
  if (seen.has(claim)) throw internalError(`duplicate nodePort: {${claim}}`);
  seen.add(claim);
}

function pick({ name, draft }: NodePortRequest, index: number, wanted: number | undefined): number {
  try {
    if (wanted === undefined) return draft.nextPort();
    draft.takePort(wanted);
    return wanted;
  } catch (error) {
    if (!(error instanceof AllocationError)) throw error;
    if (wanted !== undefined) {
      refuse(name, [invalidValue(`spec.ports[${index}].nodePort`, wanted, error.message)]);
    }
    throw unexpected(`failed to allocate a nodePort: ${error.message}`);
  }
}
