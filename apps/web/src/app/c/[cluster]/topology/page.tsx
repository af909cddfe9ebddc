import { t } from "@cloudwright/core/model/language/text";
import type { Metadata } from "next";
import { TopologyPage } from "../../../../features/topology/topology-page.tsx";

export function generateMetadata(): Metadata {
  return { title: t`Topology` };
}

export default TopologyPage;
