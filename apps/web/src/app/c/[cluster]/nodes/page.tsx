import { t } from "@cloudwright/core/model/language/text";
import type { Metadata } from "next";
import { NodesPage } from "../../../../features/nodes/nodes-page.tsx";

export function generateMetadata(): Metadata {
  return { title: t`Nodes` };
}

export default NodesPage;
