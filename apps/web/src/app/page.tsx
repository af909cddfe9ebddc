import { ClustersPage } from "../features/clusters/clusters-page.tsx";
import { DatabaseDown } from "../platform/shell/database-down.tsx";
import { pageViewer } from "../server/sign-in/page-viewer.ts";

export default async function Page() {
  const asked = await pageViewer();
  return asked.kind === "unreachable" ? <DatabaseDown /> : <ClustersPage />;
}
