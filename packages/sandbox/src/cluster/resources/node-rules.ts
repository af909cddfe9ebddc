import { isIP } from "node:net";
import { labelValueProblems, qualifiedNameProblems } from "../rules/names.ts";
import {
  duplicateValue,
  forbiddenValue,
  invalidValue,
  type Problem,
  required,
  ruleProblems,
  unsupportedValue,
} from "../rules/problem.ts";
import type { Node, Taint } from "./node-schema.ts";

const EFFECTS = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

export function nodeProblems(node: Node): readonly Problem[] {
  return [
    ...taintProblems(node.spec.taints ?? []),
    ...addressProblems(node),
    ...cidrProblems(node.spec.podCIDRs ?? []),
  ];
}

/** Returns the changes that upstream's node strategy forbids (spec/10 §7 depends on the provider ID's rule). */
export function nodeUpdateProblems(node: Node, before: Node): readonly Problem[] {
  const problems: Problem[] = [];
  const cidrs = before.spec.podCIDRs ?? [];
  if (cidrs.length > 0 && cidrs.join() !== (node.spec.podCIDRs ?? []).join()) {
    problems.push(
      forbiddenValue(
        "spec.podCIDRs",
        'node updates may not change podCIDR except from "" to valid',
      ),
    );
  }
  const providerId = before.spec.providerID;
  if (providerId !== undefined && node.spec.providerID !== providerId) {
    problems.push(invalidValue("spec.providerID", null, "field cannot be modified once set"));
  }
  return problems;
}

/** Upstream reports taints under `metadata`, although they are under `spec`. */
function taintProblems(taints: readonly Taint[]): readonly Problem[] {
  const seen = new Set<string>();
  return taints.flatMap((taint, index) => {
    const field = `metadata.taints[${index}]`;
    const identity = `${taint.key}:${taint.effect}`;
    const duplicate = seen.has(identity);
    seen.add(identity);
    return [
      ...singleTaintProblems(taint, field),
      ...(duplicate ? [duplicateTaint(taint, field)] : []),
    ];
  });
}

function singleTaintProblems(taint: Taint, field: string): readonly Problem[] {
  return [
    ...ruleProblems(qualifiedNameProblems, `${field}.key`, taint.key),
    ...labelValueProblems(taint.value ?? "").map((why) =>
      invalidValue(`${field}.value`, taint.value, why),
    ),
    ...effectProblems(taint.effect, `${field}.effect`),
  ];
}

function effectProblems(effect: string, field: string): readonly Problem[] {
  if (effect === "") return [required(field)];
  return EFFECTS.includes(effect) ? [] : [unsupportedValue(field, effect, EFFECTS)];
}

function duplicateTaint(taint: Taint, field: string): Problem {
  const shown = {
    Key: taint.key,
    Value: taint.value ?? "",
    Effect: taint.effect,
    TimeAdded: taint.timeAdded ?? null,
  };
  return duplicateValue(field, shown, "taints must be unique by key and effect pair");
}

function addressProblems(node: Node): readonly Problem[] {
  const seen = new Set<string>();
  return (node.status.addresses ?? []).flatMap(({ type, address }, index) => {
    const identity = `${type}\0${address}`;
    const duplicate = seen.has(identity);
    seen.add(identity);
    return duplicate
      ? [duplicateValue(`status.addresses[${index}]`, { Type: type, Address: address })]
      : [];
  });
}

function cidrProblems(cidrs: readonly string[]): readonly Problem[] {
  return [
    ...cidrs.flatMap((cidr, index) =>
      isCidr(cidr)
        ? []
        : [
            invalidValue(
              `spec.podCIDRs[${index}]`,
              cidr,
              "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)",
            ),
          ],
    ),
    ...familyProblems(cidrs),
  ];
}

function familyProblems(cidrs: readonly string[]): readonly Problem[] {
  if (cidrs.length < 2) return [];
  const families = new Set(cidrs.map((cidr) => isIP(cidr.split("/")[0] ?? "")));
  if (cidrs.length === 2 && families.size === 2) return [];
  return [
    invalidValue("spec.podCIDRs", cidrs, "may specify no more than one CIDR for each IP family"),
  ];
}

function isCidr(cidr: string): boolean {
  const [address, bits, ...rest] = cidr.split("/");
  const family = isIP(address ?? "");
  if (family === 0 || rest.length > 0 || !/^\d{1,3}$/.test(bits ?? "")) return false;
  return Number(bits) <= (family === 4 ? 32 : 128);
}
