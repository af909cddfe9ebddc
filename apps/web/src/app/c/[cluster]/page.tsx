import { redirect } from "next/navigation";
import { addresses } from "../../../components/url/addresses.ts";

export default async function Page({ params }: { readonly params: Promise<{ cluster: string }> }) {
  redirect(addresses.nodes((await params).cluster));
}
