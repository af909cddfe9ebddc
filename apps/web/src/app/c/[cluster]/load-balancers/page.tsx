import { t } from "@cloudwright/core/model/language/text";
import type { Metadata } from "next";
import { LoadBalancersPage } from "../../../../features/load-balancers/load-balancers-page.tsx";

export function generateMetadata(): Metadata {
  return { title: t`Load balancers` };
}

export default LoadBalancersPage;
