import type { Service } from "../../kube/client.ts";
import { formatCidr, parseCidr } from "../../model/cidr.ts";
import type { ReasonOf } from "../../model/reason.ts";
import type { IpFamily } from "../../provider/load-balancers.ts";
import { EVERYBODY } from "../../provider/unmet-demand.ts";
import { annotationOf } from "../objects/object-meta.ts";
import { SOURCE_RANGES_ANNOTATION } from "./service-object.ts";

export type SourceRanges =
  | { readonly kind: "ranges"; readonly ranges: readonly string[] }
  | { readonly kind: "invalid"; readonly reason: ReasonOf<"ServiceInvalid"> };

/** Who may come in: the field, else the annotation, else everybody of the balancer's families (spec/60 §4). */
export function sourceRangesOf(service: Service, families: readonly IpFamily[]): SourceRanges {
  const { field, entries } = given(service);
  if (entries.length === 0) {
    return { kind: "ranges", ranges: sorted(families.map((family) => EVERYBODY[family])) };
  }
  const ranges = new Set<string>();
  for (const value of entries) {
    const range = parseCidr(value);
    if (range === undefined) {
      const problem = "a source range is a CIDR such as 10.0.0.0/8";
      return { kind: "invalid", reason: { code: "ServiceInvalid", field, value, problem } };
    }
    ranges.add(formatCidr(range));
  }
  return { kind: "ranges", ranges: sorted([...ranges]) };
}

function sorted(ranges: readonly string[]): readonly string[] {
  return [...ranges].sort((left, right) => (left < right ? -1 : 1));
}

function given(service: Service): { readonly field: string; readonly entries: readonly string[] } {
  const inField = service.spec?.loadBalancerSourceRanges ?? [];
  if (inField.length > 0) {
    return { field: "loadBalancerSourceRanges", entries: inField.map((entry) => entry.trim()) };
  }
  const annotation = (annotationOf(service, SOURCE_RANGES_ANNOTATION) ?? "").trim();
  const entries = annotation === "" ? [] : annotation.split(",").map((entry) => entry.trim());
  return { field: `annotation ${SOURCE_RANGES_ANNOTATION}`, entries };
}
