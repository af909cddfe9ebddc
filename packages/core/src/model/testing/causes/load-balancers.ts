import type { WordedCause } from "./worded-cause.ts";

/** Causes about Services and their load balancers. */
export const CAUSES_OF_LOAD_BALANCERS: readonly WordedCause[] = [
  [
    {
      code: "ServiceInvalid",
      field: "spec.loadBalancerSourceRanges",
      value: "10.0.0.1",
      problem: "it is no CIDR",
    },
    'Its spec.loadBalancerSourceRanges "10.0.0.1" cannot be used: it is no CIDR',
  ],
  [
    {
      code: "ServiceUnsupported",
      provider: "sandbox",
      field: "protocol",
      problem: "SCTP is not supported",
    },
    "Sandbox cannot serve its protocol: SCTP is not supported",
  ],
  [{ code: "ServiceUnwanted", why: "deleted" }, "It is being deleted"],
  [{ code: "ServiceUnwanted", why: "type" }, "It is no longer of type LoadBalancer"],
  [
    { code: "ServiceUnwanted", why: "class" },
    "Its load balancer class belongs to another controller",
  ],
  [
    { code: "ServedElsewhere", provider: "sandbox" },
    "Sandbox leaves this Service to another controller",
  ],
  [
    { code: "FinalizerMissing" },
    "It lacks the finalizer that keeps it until its load balancer is gone",
  ],
  [
    { code: "FinalizerMissing", isWithoutClass: true },
    "Its finalizer does not say under which load balancer class it is served",
  ],
  [{ code: "BalancerMissing", provider: "sandbox" }, "Sandbox has no load balancer for it"],
  [
    { code: "BalancerDiffers", aspects: ["listener 443/TCP", "health check"] },
    "Its load balancer is not in sync: listener 443/TCP, health check",
  ],
  [
    { code: "BalancerReensured", by: "ana", why: "INC-9" },
    "Ana asked for its whole load balancer to be written again: INC-9",
  ],
  [
    { code: "MembersDiffer", added: ["w-1", "w-2"], removed: ["w-9"] },
    "The nodes behind its load balancer changed (new: w-1, w-2; gone: w-9)",
  ],
  [
    { code: "MembersDiffer", added: ["w-1"], removed: [] },
    "The nodes behind its load balancer changed (new: w-1)",
  ],
  [
    { code: "BalancerProvisioning", provider: "sandbox", id: "lb-1", what: "provisioning" },
    "Sandbox is still working on lb-1: provisioning",
  ],
  [
    { code: "BalancerInStep", members: 3, address: "203.0.113.7" },
    "Its load balancer 203.0.113.7 is in sync, with 3 nodes",
  ],
  [{ code: "BalancerInStep", members: 1 }, "Its load balancer is in sync, with 1 node"],
  [{ code: "BalancerWithoutMembers" }, "No node is available for its load balancer"],
  [
    {
      code: "BalancerMemberRefused",
      node: "w-3",
      message: "no such instance",
      others: 2,
      serves: "members",
    },
    "The cloud refuses to put node w-3 and 2 more behind its load balancer: no such instance",
  ],
  [
    { code: "BalancerMemberGone", provider: "sandbox", node: "w-3", others: 1, serves: "nothing" },
    "Node w-3 and 1 more cannot be behind its load balancer, because the machine does not exist in sandbox",
  ],
  [
    { code: "BalancerAddressMissing", provider: "sandbox" },
    "Sandbox reports no address for its load balancer",
  ],
  [
    { code: "BalancerAddressChanged", from: "203.0.113.7", to: "lb.example" },
    "Its load balancer moved from 203.0.113.7 to lb.example",
  ],
  [
    { code: "BalancerAddressChanged", from: "", to: "203.0.113.7" },
    "Its load balancer has the address 203.0.113.7",
  ],
  [
    { code: "BalancerForeign", provider: "sandbox", id: "lb-1", owner: "cluster c-2" },
    "The load balancer lb-1 in sandbox belongs to cluster c-2",
  ],
  [
    { code: "BalancerUnowned", provider: "sandbox", id: "lb-1", name: "a12" },
    "The load balancer lb-1 named a12 in sandbox has no owner",
  ],
  [
    {
      code: "BalancerUnowned",
      provider: "sandbox",
      id: "lb-1",
      name: "a12",
      others: ["listener 53/UDP", "member i-9"],
    },
    "The load balancer lb-1 named a12 in sandbox has no owner; it has settings that the Service does not request: listener 53/UDP, member i-9",
  ],
  [
    { code: "BalancerUnowned", provider: "sandbox", id: "lb-1", name: "a12", proofs: ["name"] },
    "The load balancer lb-1 named a12 in sandbox has no owner: it has this Service's name, but not the address that the Service publishes",
  ],
  [
    { code: "BalancerUnowned", provider: "sandbox", id: "lb-1", name: "w", proofs: ["address"] },
    "The load balancer lb-1 named w in sandbox has no owner: it has the address that the Service publishes, but not the name that the earlier manager would have given it",
  ],
  [
    {
      code: "BalancerUnowned",
      provider: "sandbox",
      id: "lb-1",
      name: "a12",
      proofs: ["name", "address"],
    },
    "The load balancer lb-1 named a12 in sandbox has no owner: it has this Service's name and published address, and --adopt=report leaves it as it is",
  ],
  [
    {
      code: "BalancerAdopted",
      provider: "sandbox",
      id: "lb-1",
      name: "a12",
      address: "203.0.113.7",
    },
    "The load balancer lb-1 in sandbox is the Service's own: it has the name a12, which the earlier manager gave it, and the published address 203.0.113.7",
  ],
  [
    { code: "BalancerStands", provider: "sandbox", id: "lb-1", name: "a12", proofs: ["name"] },
    "The load balancer lb-1 named a12 still exists in sandbox and has no owner: it has this Service's name, but not the address that the Service publishes, so the Service keeps its finalizer",
  ],
  [
    {
      code: "BalancerStands",
      provider: "sandbox",
      id: "lb-1",
      name: "w",
      proofs: ["address"],
      owner: "the cluster test",
    },
    "The load balancer lb-1 named w still exists in sandbox, at the address that the Service publishes, and belongs to the cluster test, so the Service keeps its finalizer",
  ],
  [
    { code: "BalancerBroken", provider: "sandbox", id: "lb-1", message: "no capacity" },
    "Sandbox reports that the load balancer lb-1 is broken: no capacity",
  ],
  [
    { code: "BalancerOrphaned", provider: "sandbox", id: "lb-1", service: "shop/web" },
    "The load balancer lb-1 in sandbox is ours, but its Service shop/web is not in the cluster",
  ],
];
