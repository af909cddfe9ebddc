import type { Metadata } from "next";
import { TopologyPage } from "../../../../features/topology/topology-page.tsx";

export const metadata: Metadata = { title: "Topology" };

export default TopologyPage;
