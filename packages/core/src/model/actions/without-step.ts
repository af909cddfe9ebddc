import { t, worded } from "../language/text.ts";

/** What an uninitialised node cannot do without a step that an override of its taint leaves out. */
export const WITHOUT_STEP: Readonly<Record<string, string>> = worded({
  "provider ID": () => t`Without a provider ID volumes cannot attach.`,
  addresses: () => t`Without addresses from the cloud kubectl logs and exec may fail.`,
  labels: () => t`Without zone and type labels, pods that require a zone are not scheduled there.`,
});
