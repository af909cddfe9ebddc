import { notFound, redirect } from "next/navigation";
import { DatabaseDown } from "../../../platform/shell/database-down.tsx";
import { incidentAddress } from "../../../server/incident-address.ts";
import { pageViewer } from "../../../server/sign-in/page-viewer.ts";

/** A shared link names no cluster: it redirects to the page in its cluster's frame, or says that there is none. */
export default async function Page({ params }: { readonly params: Promise<{ id: string }> }) {
  const [requested, { id }] = await Promise.all([pageViewer(), params]);
  if (requested.kind === "unreachable") return <DatabaseDown />;
  const address = await incidentAddress(requested.viewer, id);
  if (address === undefined) notFound();
  redirect(address);
}
