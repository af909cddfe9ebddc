import type { RecordedText } from "../language/recorded.ts";
import { t } from "../language/text.ts";

/** The sandbox provider's messages; its cloud's answers stay as they are. */
export const SANDBOX_TEXTS: readonly RecordedText[] = [
  () => t`SCTP is not supported`,
  ([value]) => t`"${value}" is neither true nor false`,
  () => t`it gives no cause`,
  ([count, name]) =>
    t`${count} load balancers named ${name} were created and removed within an hour; wait an hour, and find out who removes them`,
  ([providerID]) => t`${providerID} names no instance of this cloud`,
  ([status]) => t`the cloud answered ${status} without saying why`,
  ([count, name]) =>
    t`${count} instances are named ${name}, so it is not known which one is the node's; rename all but one or set the node's provider ID`,
  ([name]) => t`none of our instances is named ${name}`,
  ([providerID]) => t`none of our instances has the provider ID ${providerID}`,
  ([why], answer) => t`no answer came: ${answer(why)}`,
  ([why]) => t`${why} and was not used; check what is between this process and the cloud`,
  () =>
    t`the answer does not match the cloud's API; check what is between this process and the cloud`,
  ([field]) =>
    t`the answer does not match the cloud's API in ${field}; check what is between this process and the cloud`,
];
