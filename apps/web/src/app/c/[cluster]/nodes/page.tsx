import type { Metadata } from "next";
import { NodesPage } from "../../../../features/nodes/nodes-page.tsx";

export const metadata: Metadata = { title: "Nodes" };

export default NodesPage;
