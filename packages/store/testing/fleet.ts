import type { LedgerRecord } from "@cloudwright/core/model/records/record";
import { nodePart, objectState } from "./records.ts";

const FLEET = [
  { name: "w-1", state: "ok", zone: "z1", type: "s", at: 1_000, init: 4_000, address: "10.0.0.1" },
  { name: "w-2", state: "stuck", zone: "z2", type: "m", at: 3_000, address: "10.0.0.2" },
  { name: "w-3", state: "stuck", zone: "z1", type: "m", at: 2_000, address: "10.0.1.3" },
  { name: "w-4", state: "waiting", zone: "z3", type: "l", at: 5_000, init: 2_000 },
  { name: "w-5", state: "gone", zone: "z1", type: "s", at: 4_000 },
  { name: "w-6", state: "ok", zone: "z2", type: "s", at: 1_000, init: 9_000 },
] as const;

/** Returns nodes of all kinds, as their controllers report them. */
export function fleet(): LedgerRecord[] {
  return FLEET.map((node) =>
    objectState({
      name: node.name,
      state: node.state,
      at: node.at,
      since: node.at,
      drift: node.name === "w-6" ? "drifted" : "inStep",
      node: nodePart({
        createdAt: 500,
        zone: node.zone,
        instanceType: node.type,
        providerID: `sandbox://${node.zone}/${node.name}`,
        ...("address" in node ? { address: node.address } : {}),
      }),
      ...("init" in node ? { initialisedAt: 500 + node.init } : {}),
    }),
  );
}
