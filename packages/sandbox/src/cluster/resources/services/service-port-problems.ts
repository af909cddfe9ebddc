import { dnsLabelProblems, qualifiedNameProblems } from "../../rules/names.ts";
import {
  duplicateProblems,
  portNumberProblems,
  portProblems,
  protocolProblems,
} from "../../rules/port-rules.ts";
import { duplicateValue, type Problem, required, ruleProblems } from "../../rules/problem.ts";
import type { ServicePort, ServiceSpec } from "./service.ts";

/** Checks each port individually, and their names. Conflicts between ports are reported later: see sharedPortProblems. */
export function portsProblems({ ports = [] }: ServiceSpec): readonly Problem[] {
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const field = `spec.ports[${index}]`;
    return [
      ...nameProblems(port, { field: `${field}.name`, names, isNeeded: ports.length > 1 }),
      ...portNumberProblems(`${field}.port`, port.port),
      ...protocolProblems(`${field}.protocol`, port.protocol ?? ""),
      ...portProblems(`${field}.targetPort`, port.targetPort ?? 0),
      ...protocolNameProblems(port, `${field}.appProtocol`),
    ];
  });
}

/** Checks for ports and node ports that two ports of one protocol claim. */
export function sharedPortProblems({ ports = [] }: ServiceSpec): readonly Problem[] {
  return [
    ...duplicateProblems(
      ports,
      ({ protocol, nodePort }) => (nodePort === undefined ? undefined : `${protocol} ${nodePort}`),
      ({ nodePort }, index) => duplicateValue(`spec.ports[${index}].nodePort`, nodePort),
    ),
    ...duplicateProblems(
      ports,
      ({ protocol, port }) => `${protocol} ${port}`,
      (port, index) => duplicateValue(`spec.ports[${index}]`, shownPort(port)),
    ),
  ];
}

interface NamePlace {
  readonly field: string;
  /** The names of the earlier ports; this one's is added. */
  readonly names: Set<string>;
  /** Whether a name is required, which is so for several ports. */
  readonly isNeeded: boolean;
}

function nameProblems({ name }: ServicePort, place: NamePlace): readonly Problem[] {
  const { field, names, isNeeded } = place;
  if (name === undefined) return isNeeded ? [required(field)] : [];
  const isTaken = names.has(name);
  names.add(name);
  return [
    ...ruleProblems(dnsLabelProblems, field, name),
    ...(isTaken ? [duplicateValue(field, name)] : []),
  ];
}

function protocolNameProblems({ appProtocol }: ServicePort, field: string): readonly Problem[] {
  return ruleProblems(qualifiedNameProblems, field, appProtocol);
}

/** Returns a port as upstream prints it. */
function shownPort({ protocol, port }: ServicePort): object {
  return {
    Name: "",
    Protocol: protocol,
    AppProtocol: null,
    Port: port,
    TargetPort: 0,
    NodePort: 0,
  };
}
