import type { RecordedText } from "../language/recorded.ts";
import { t } from "../language/text.ts";

/** The framework's messages about failed calls to the cloud or to the Kubernetes API. */
export const FRAMEWORK_TEXTS: readonly RecordedText[] = [
  ([provider]) =>
    t`${provider} was not asked: it allows no more calls for now; they resume automatically`,
  ([provider]) => t`${provider} cannot enlarge a disk; create a new one and copy the data`,
  ([id]) =>
    t`The provider gave no answer for the volume ${id}: a provider must answer for every id; report this to its author`,
  ([service]) =>
    t`The provider gave no answer for the load balancer of ${service}: a provider must answer for every owner; report this to its author`,
  ([instance]) =>
    t`The provider gave no answer for ${instance}: a provider must answer for every reference; report this to its author`,
  () => t`No answer arrived in time`,
  () => t`The run ended before an answer came`,
  () => t`The observation was cancelled`,
  () => t`The controller was stopped during this run`,
  () => t`Nobody is waiting for this call any longer`,
  () => t`the time is over`,
  () => t`the call was abandoned`,
  ([limit]) => t`no complete answer arrived within ${limit}`,
  ([why], answer) => t`no complete answer arrived: ${answer(why)}`,
  () => t`nothing was sent, because this process is not the leader; the leader sends it`,
  () => t`the object is no longer the one that the patch was made for`,
  ([status]) =>
    t`it answered ${status} without a reason, which the Kubernetes API does not do; check what is between it and this process`,
  ([wanted]) =>
    t`the answer is not ${wanted} of the Kubernetes API; check what is between it and this process`,
  ([route]) => t`The route ${route} was not observed`,
  ([passes]) =>
    t`its plan did not settle within ${passes} passes, because what was applied did not become visible; it is retried later`,
  () => t`the node was put on hold in the meantime`,
  () => t`the deletion guard has reached its limit in the meantime`,
  () => t`the pod range or the node was assigned elsewhere in the meantime`,
];
