import { t } from "@cloudwright/core/model/language/text";
import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { FailedRequestPage } from "../../../../../features/runs/failed-request-page.tsx";
import { requestAddress } from "../../../../../server/requests/request-address.ts";

interface Given {
  readonly params: Promise<{ cluster: string; id: string }>;
}

export async function generateMetadata({ params }: Given): Promise<Metadata> {
  const id = decodeURIComponent((await params).id);
  return { title: t`Request ${id}` };
}

/** A request id redirects to what it belongs to; it has a page of its own only if that could not be looked up. */
export default async function Page({ params }: Given) {
  const { cluster, id } = await params;
  const request = decodeURIComponent(id);
  const led = await requestAddress(cluster, request);
  if (led.kind === "failed") return <FailedRequestPage id={request} error={led.error} />;
  redirect(led.address);
}
