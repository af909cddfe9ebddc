import { describe, expect, it } from "vitest";
import { addressesOf, type NetworkingConfig, sortAddresses } from "./addresses.ts";
import { type Port, portSchema, type Server, serverSchema } from "./server.ts";

const PLAIN: NetworkingConfig = {
  ipv6SupportDisabled: false,
  publicNetworkName: [],
  internalNetworkName: [],
  addressSortOrder: [],
};

const port = (addresses: readonly string[], status = "ACTIVE"): Port =>
  portSchema.parse({ id: "p", status, fixed_ips: addresses.map((ip_address) => ({ ip_address })) });

const on = (addr: string, type = "fixed") => ({ addr, "OS-EXT-IPS:type": type });

const server = (fields: object): Server => serverSchema.parse({ id: "s", ...fields });

const texts = (addresses: readonly { type: string; address: string }[]) =>
  addresses.map(({ type, address }) => `${type} ${address}`);

describe("the addresses of a server", () => {
  const SERVER = server({
    accessIPv4: "198.51.100.1",
    accessIPv6: "2001:db8::1",
    metadata: { hostname: "worker.example" },
    addresses: {
      private: [on("10.0.0.1"), on("203.0.113.9", "floating")],
      backend: [on("10.9.0.1")],
    },
  });
  const PORTS = {
    ports: [port(["10.0.0.1", "fd00::1"]), port(["10.9.0.1"]), port(["10.8.0.1"], "DOWN")],
    subPorts: [],
  };

  it.each<[string, Partial<NetworkingConfig>, readonly string[]]>([
    [
      "are those of its active ports, for access, its host name and of its networks by name",
      {},
      [
        ...["InternalIP 10.0.0.1", "InternalIP fd00::1", "InternalIP 10.9.0.1"],
        ...["ExternalIP 198.51.100.1", "ExternalIP 2001:db8::1", "Hostname worker.example"],
        "ExternalIP 203.0.113.9",
      ],
    ],
    [
      "have no IPv6 where it is disabled",
      { ipv6SupportDisabled: true },
      [
        ...["InternalIP 10.0.0.1", "InternalIP 10.9.0.1", "ExternalIP 198.51.100.1"],
        ...["Hostname worker.example", "ExternalIP 203.0.113.9"],
      ],
    ],
    [
      "are external on a public network, and nothing else there",
      { publicNetworkName: ["backend"] },
      [
        ...["InternalIP 10.0.0.1", "InternalIP fd00::1", "ExternalIP 198.51.100.1"],
        ...["ExternalIP 2001:db8::1", "Hostname worker.example", "ExternalIP 10.9.0.1"],
        "ExternalIP 203.0.113.9",
      ],
    ],
    [
      "are only those of the internal networks, where these are named, and floating ones",
      { internalNetworkName: ["private"] },
      [
        ...["InternalIP 10.0.0.1", "InternalIP fd00::1", "ExternalIP 198.51.100.1"],
        ...["ExternalIP 2001:db8::1", "Hostname worker.example", "ExternalIP 203.0.113.9"],
      ],
    ],
    [
      "are sorted by the configured ranges",
      { addressSortOrder: ["203.0.113.0/24", "10.0.0.0/8", "fd00::/8", "nonsense"] },
      [
        ...["ExternalIP 203.0.113.9", "InternalIP 10.0.0.1", "InternalIP 10.9.0.1"],
        ...["InternalIP fd00::1", "ExternalIP 198.51.100.1", "ExternalIP 2001:db8::1"],
        "Hostname worker.example",
      ],
    ],
  ])("%s", (_, config, expected) => {
    expect(texts(addressesOf(SERVER, PORTS, { ...PLAIN, ...config }))).toEqual(expected);
  });

  it("include those of trunk subports, under the name of their network", () => {
    const subPorts = [{ port: port(["10.7.0.1"]), network: "storage" }];
    const found = (config: Partial<NetworkingConfig>) =>
      texts(addressesOf(server({}), { ports: [], subPorts }, { ...PLAIN, ...config }));
    expect(found({})).toEqual(["InternalIP 10.7.0.1"]);
    expect(found({ publicNetworkName: ["storage"] })).toEqual(["ExternalIP 10.7.0.1"]);
    expect(found({ internalNetworkName: ["other"] })).toEqual([]);
  });

  it("are empty for a server without any", () => {
    expect(addressesOf(server({ accessIPv4: "" }), { ports: [], subPorts: [] }, PLAIN)).toEqual([]);
  });
});

it("sorts within a range by value, not by text, and keeps the order of the rest", () => {
  const internal = (address: string) => ({ type: "InternalIP", address }) as const;
  const given = [
    "192.0.2.7",
    "10.0.0.10",
    "10.0.0.9",
    "192.0.2.3",
    "fd00::10",
    "fd00::9:0",
    "fd00::2",
  ];
  const sorted = sortAddresses(given.map(internal), ["fd00::/64", "10.0.0.0/24"]);
  expect(sorted.map(({ address }) => address)).toEqual([
    ...["fd00::2", "fd00::10", "fd00::9:0"],
    ...["10.0.0.9", "10.0.0.10", "192.0.2.7", "192.0.2.3"],
  ]);
});
