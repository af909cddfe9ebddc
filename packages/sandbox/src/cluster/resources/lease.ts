import { invalidValue, type Problem } from "../rules/problem.ts";
import {
  always,
  type Infer,
  integer,
  microTime,
  nullable,
  struct,
  text,
} from "../schema/schema.ts";
import { ageColumn, nameColumn } from "../tables/common-columns.ts";
import { defineResource } from "./define-resource.ts";
import { objectMeta } from "./metadata.ts";

const leaseSchema = struct(
  "Lease",
  {
    metadata: always(objectMeta),
    spec: always(
      struct(
        "LeaseSpec",
        {
          holderIdentity: nullable(text),
          leaseDurationSeconds: nullable(integer),
          acquireTime: microTime,
          renewTime: microTime,
          leaseTransitions: nullable(integer),
          strategy: nullable(text),
          preferredHolder: nullable(text),
        },
        "holderIdentity leaseDurationSeconds acquireTime renewTime leaseTransitions strategy preferredHolder",
      ),
    ),
  },
  "metadata spec",
);

export type Lease = Infer<typeof leaseSchema>;

export const leases = defineResource(
  {
    group: "coordination.k8s.io",
    version: "v1",
    kind: "Lease",
    plural: "leases",
    namespaced: true,
    createOnUpdate: true,
    versionRequired: true,
  },
  {
    schema: leaseSchema,
    rules: {
      problems,
      columns: [
        nameColumn,
        ["Holder", "Who holds the lease.", (lease) => lease.spec.holderIdentity ?? ""],
        ageColumn,
      ],
    },
  },
);

function problems({ spec }: Lease): readonly Problem[] {
  const { leaseDurationSeconds: seconds, leaseTransitions: transitions } = spec;
  return [
    ...(seconds !== undefined && seconds <= 0
      ? [invalidValue("spec.leaseDurationSeconds", seconds, "must be greater than 0")]
      : []),
    ...(transitions !== undefined && transitions < 0
      ? [invalidValue("spec.leaseTransitions", transitions, "must be greater than or equal to 0")]
      : []),
  ];
}
