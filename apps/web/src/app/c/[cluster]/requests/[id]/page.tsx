import { redirect } from "next/navigation";
import { requestAddress } from "../../../../../server/requests/request-address.ts";

/** Not a page of its own: whoever follows a request id comes to what it belongs to. */
export default async function Page({
  params,
}: {
  readonly params: Promise<{ cluster: string; id: string }>;
}) {
  const { cluster, id } = await params;
  redirect(await requestAddress(cluster, decodeURIComponent(id)));
}
