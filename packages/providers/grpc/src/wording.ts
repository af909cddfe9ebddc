import type { IpFamily, Protocol } from "@cloudwright/provider-api";

/** Returns the families that Kubernetes has; a process may know more. */
export function ipFamiliesOf(names: readonly string[]): readonly IpFamily[] {
  return names.filter((name) => name === "IPv4" || name === "IPv6");
}

/** Returns the protocols that a Service may use; a process may know more. */
export function protocolsOf(names: readonly string[]): readonly Protocol[] {
  return names.filter((name) => name === "TCP" || name === "UDP" || name === "SCTP");
}
