import { findAnything } from "@cloudwright/store/queries/overview/find";
import { mayReach } from "@cloudwright/store/users/cluster-access";
import { addresses } from "../../components/url/addresses.ts";
import { ledger } from "../ledger.ts";
import { findInput } from "../routers/inputs.ts";
import { pageViewer } from "../sign-in/page-viewer.ts";

/** The run that made the cloud call of this id; the list of runs, where several share it or none is known any more. */
export async function requestAddress(cluster: string, id: string): Promise<string> {
  const list = `${addresses.runs(cluster, `request:${id}`)}&from=all`;
  const requested = await pageViewer();
  const input = findInput.safeParse({ cluster, text: id });
  if (requested.kind === "unreachable" || !input.success) return list;
  if (!mayReach(requested.viewer.clusters, cluster)) return list;
  const { runs } = await findAnything(ledger(), input.data);
  const [only, ...others] = runs;
  return only === undefined || others.length > 0 ? list : addresses.run(cluster, only.id);
}
