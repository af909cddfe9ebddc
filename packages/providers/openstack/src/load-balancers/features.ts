/** The capabilities of this cloud's Octavia: its API version, and the provider of the load balancer (spec §6.3). */
export interface Features {
  readonly tags: boolean;
  readonly timeouts: boolean;
  readonly allowedCidrs: boolean;
  readonly flavors: boolean;
  readonly availabilityZones: boolean;
  readonly udpHttpMonitors: boolean;
  readonly httpMonitors: boolean;
  readonly sctp: boolean;
  readonly proxyV1: boolean;
  readonly proxyV2: boolean;
  readonly additionalVips: boolean;
  /** HTTP listeners and TLS. */
  readonly layer7: boolean;
  readonly methods: readonly string[] | "any";
}

/** `minor`: the N of the highest `v2.N` that Octavia offers. */
export function featuresOf({ minor, provider }: { minor: number; provider: string }): Features {
  const isOvn = provider === "ovn";
  const since = (version: number) => minor >= version;
  return {
    tags: since(5),
    timeouts: since(1) && !isOvn,
    allowedCidrs: since(12) && !isOvn,
    flavors: since(6) && !isOvn,
    availabilityZones: since(14) && !isOvn,
    udpHttpMonitors: since(16) && !isOvn,
    httpMonitors: !isOvn,
    sctp: since(23),
    proxyV1: !isOvn,
    proxyV2: since(22) && !isOvn,
    additionalVips: since(26) && !isOvn,
    layer7: !isOvn,
    methods: isOvn ? ["SOURCE_IP_PORT"] : "any",
  };
}
