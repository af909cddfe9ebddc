import type { Metadata } from "next";
import { LoadBalancersPage } from "../../../../features/load-balancers/load-balancers-page.tsx";

export const metadata: Metadata = { title: "Load balancers" };

export default LoadBalancersPage;
