import { dnsLabelProblems } from "../../rules/names.ts";
import { defineResource } from "../define-resource.ts";
import { serviceSchema } from "./service.ts";
import { allocate } from "./service-allocation.ts";
import { serviceColumns } from "./service-columns.ts";
import { serviceDefaults } from "./service-defaults.ts";
import { serviceProblems } from "./service-problems.ts";
import { settled, withoutForeignFields } from "./service-transitions.ts";
import { serviceWarnings } from "./service-warnings.ts";

export const services = defineResource(
  {
    group: "",
    version: "v1",
    kind: "Service",
    plural: "services",
    shortNames: ["svc"],
    categories: ["all"],
    namespaced: true,
    hasStatus: true,
    createOnUpdate: true,
    returnsDeleted: true,
    nameRule: dnsLabelProblems,
  },
  {
    schema: serviceSchema,
    rules: {
      defaults: serviceDefaults,
      admit: allocate,
      onCreate: (service) => ({ ...service, status: { loadBalancer: {} } }),
      onUpdate: withoutForeignFields,
      problems: serviceProblems,
      settle: settled,
      warnings: serviceWarnings,
      fields: {
        "spec.clusterIP": ({ spec }) => spec.clusterIP ?? "",
        "spec.type": ({ spec }) => spec.type ?? "",
      },
      columns: serviceColumns,
    },
  },
);
