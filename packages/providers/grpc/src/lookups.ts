import {
  type AbsenceProof,
  type InstanceFacts,
  isNodeAddress,
  type Lookup,
  type NodeAddress,
  ProviderError,
} from "@cloudwright/provider-api";
import { checkCount } from "./answer-bounds.ts";
import { errorOfFailure } from "./connection/failures.ts";
import {
  AbsenceSubject,
  Certainty,
  type DescribeInstancesResponse,
  type Failure,
  type InstanceAbsent,
  type InstanceLookup,
  type InstanceFacts as MachineMessage,
  type NodeAddress as NodeAddressMessage,
  PowerState,
} from "./generated/cloudwright/provider/v1/provider_pb.js";

const OPERATION = "DescribeInstances";

/** Returns the answers in the order of the questions. Throws ProviderError if their numbers differ. */
export function lookupsOf(
  provider: string,
  { lookups }: DescribeInstancesResponse,
  asked: number,
): readonly Lookup[] {
  checkCount({ provider, operation: OPERATION }, lookups.length, asked);
  const others = lookups.filter(({ result }) => result.case === "found").length;
  return lookups.map((lookup) => lookupOf({ provider, showsOthers: others > 0 }, lookup));
}

/** Returns the failures of single items in a batch. */
export function failuresOf(
  call: { readonly provider: string; readonly operation: string },
  failures: readonly (Failure | undefined)[],
): readonly ProviderError[] {
  return failures
    .filter((failure) => failure !== undefined)
    .map((failure) => errorOfFailure(failure, call));
}

interface Answering {
  readonly provider: string;
  /** Whether the same answer contains a machine. */
  readonly showsOthers: boolean;
}

function lookupOf(answering: Answering, { result }: InstanceLookup): Lookup {
  switch (result.case) {
    case "found":
      return foundOf(result.value);
    case "absent":
      return absentOf(answering, result.value);
    case "notListed":
      return { kind: "notListed", ...named(result.value.requestId) };
    case "unclaimed":
      return { kind: "unclaimed" };
    case "foreign":
      return { kind: "foreign" };
    case "malformed":
      return { kind: "malformed", expected: result.value.expected };
    case "failed":
      return failed(errorOfFailure(result.value, { ...answering, operation: OPERATION }));
    default:
      return failed(unproven(answering, "gave an answer that this release does not understand"));
  }
}

function failed(error: ProviderError): Lookup {
  return { kind: "failed", error };
}

function foundOf(message: MachineMessage): Lookup {
  const { explained, requestId } = message;
  return {
    kind: "found",
    facts: factsOf(message),
    ...named(requestId),
    ...(explained === "" ? {} : { explained }),
  };
}

function factsOf(message: MachineMessage): InstanceFacts {
  const { providerId, name, instanceType, zone, region, addresses, additionalLabels } = message;
  return {
    ...{ providerID: providerId, name, type: instanceType, zone, region, additionalLabels },
    ...(message.withoutIds ? { withoutIDs: true } : {}),
    addresses: addressesOf(addresses),
    power: POWER[message.power] ?? "running",
    asOf: timeOf(message.asOfMs),
  };
}

/** Leaves out address types that Kubernetes does not know, which a Node could not carry. */
export function addressesOf(addresses: readonly NodeAddressMessage[]): readonly NodeAddress[] {
  return addresses.map(({ type, address }) => ({ type, address })).filter(isNodeAddress);
}

/** Returns when the cloud answered; if the process does not say, now. */
export function timeOf(milliseconds: bigint): number {
  return milliseconds === 0n ? Date.now() : Number(milliseconds);
}

/** If the process does not say what was looked up, it is a failure: nothing is deleted because of it. */
function absentOf(answering: Answering, { proof }: InstanceAbsent): Lookup {
  const by = proof === undefined ? undefined : SUBJECTS.get(proof.by);
  if (proof === undefined || by === undefined) {
    return failed(
      unproven(answering, "says that a machine is absent, but not how it looked for it"),
    );
  }
  return {
    kind: "absent",
    proof: {
      by,
      ...named(proof.requestId),
      cloudShowsOthers:
        proof.cloudShowsOthers === Certainty.UNSPECIFIED
          ? answering.showsOthers
          : proof.cloudShowsOthers === Certainty.YES,
      at: timeOf(proof.atMs),
    },
  };
}

function unproven({ provider }: Answering, what: string): ProviderError {
  const message = `The provider process ${provider} ${what}: report this to its author.`;
  return new ProviderError("Unavailable", message, { provider, operation: OPERATION });
}

function named(requestId: string): { readonly requestId?: string } {
  return requestId === "" ? {} : { requestId };
}

const SUBJECTS: ReadonlyMap<AbsenceSubject, AbsenceProof["by"]> = new Map([
  [AbsenceSubject.PROVIDER_ID, "providerID"],
  [AbsenceSubject.NAME, "name"],
]);

const POWER: Readonly<Record<PowerState, InstanceFacts["power"]>> = {
  [PowerState.UNSPECIFIED]: "running",
  [PowerState.RUNNING]: "running",
  [PowerState.STOPPED]: "stopped",
  [PowerState.PENDING]: "pending",
};
