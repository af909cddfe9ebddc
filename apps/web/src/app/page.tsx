import { ClustersPage } from "../features/clusters/clusters-page.tsx";
import { DatabaseDown } from "../platform/shell/database-down.tsx";
import { pageViewer } from "../server/sign-in/page-viewer.ts";

export default async function Page() {
  const requested = await pageViewer();
  return requested.kind === "unreachable" ? (
    <DatabaseDown />
  ) : (
    <ClustersPage viewer={requested.viewer} />
  );
}
