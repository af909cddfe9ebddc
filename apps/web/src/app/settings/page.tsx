import { redirect } from "next/navigation";
import { addresses } from "../../components/url/addresses.ts";

export default function Page() {
  redirect(addresses.settings());
}
