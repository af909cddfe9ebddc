import type { ServiceQuotas } from "@cloudwright/core/model/records/quota-record";
import { expect, it } from "vitest";
import { quotaSentence } from "./quota-messages.ts";

const neutron = (...quotas: ServiceQuotas["quotas"]): ServiceQuotas => ({
  service: "Neutron",
  readAt: 0,
  quotas,
});
const quota = (resource: string, used?: number, limit?: number) => ({
  resource,
  ...(used === undefined ? {} : { used }),
  ...(limit === undefined ? {} : { limit }),
});

it.each([
  ["", []],
  ["", [neutron(quota("ports", 89, 100), quota("routers", 5), quota("subnets", undefined, 1))]],
  [
    "The cloud's quota is nearly used up: 90 of 100 ports (Neutron).",
    [neutron(quota("ports", 90, 100))],
  ],
  [
    "The cloud's quota is nearly used up: 0 of 0 ports (Neutron) and 1,000 of 1,000 security groups (Neutron).",
    [neutron(quota("ports", 0, 0), quota("security groups", 1_000, 1_000))],
  ],
  [
    "The cloud's quota is nearly used up: 1 of 1 a (Neutron), 1 of 1 b (Neutron), 1 of 1 c (Neutron) and 2 more.",
    [neutron(...["a", "b", "c", "d", "e"].map((name) => quota(name, 1, 1)))],
  ],
])("says %j", (sentence, services) => {
  expect(quotaSentence(services)).toBe(sentence);
});
