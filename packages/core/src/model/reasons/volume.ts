import { z } from "zod/mini";
import { t } from "../language/text.ts";
import { reasonsOf } from "./define.ts";
import { inWords, phraseSchema } from "./phrases.ts";
import { evidence, few, requestOf, start } from "./text.ts";

const defineReason = reasonsOf({ depth: "volume", appearsIn: ["volume"] });

export const VOLUME_REASONS = [
  defineReason({
    code: "VolumeInStep",
    fields: { id: z.string() },
    cause: (r) => t`it states where its disk ${r.id} is`,
  }),
  defineReason({
    code: "VolumeLabelsDiffer",
    fields: { labels: z.array(z.string()) },
    cause: (r) => t`it does not state where its disk is: ${few(r.labels)}`,
  }),
  defineReason({
    code: "VolumeNotFound",
    fields: {
      provider: z.string(),
      id: z.string(),
      requestId: z.optional(z.string()),
    },
    cause: (r) => t`${r.provider} has no disk ${r.id}${evidence(requestOf(r))}`,
    advice: () =>
      t`Check the volume's ID, and that the cloud config names the right project and region.`,
    fault: "user",
  }),
  defineReason({
    code: "VolumeZoneInvalid",
    fields: {
      ...{ id: z.string(), value: z.string(), problem: z.string() },
      phrase: z.optional(phraseSchema),
    },
    cause: (r) =>
      t`the zone ${start(r.value)} of its disk ${r.id} is not usable: ${inWords(r.phrase, r.problem)}`,
    advice: () => t`Correct it in the cloud.`,
    fault: "user",
  }),
  /** `source`: its source is not of this cloud. `placeholder`: its disk did not exist when the volume was created. */
  defineReason({
    code: "VolumeNotOurs",
    fields: { why: z.enum(["source", "placeholder"]) },
    cause: (r) =>
      r.why === "source" ? t`it is not a disk of this cloud` : t`it was created before its disk`,
    state: "gone",
  }),
  defineReason({
    code: "VolumeWithoutTopology",
    fields: { id: z.string() },
    cause: (r) => t`its disk ${r.id} is in no zone and no region`,
  }),
  /** It had an affinity of its own before we came, which does not show where the disk is. */
  defineReason({
    code: "VolumeAffinityKept",
    fields: { wanted: z.string() },
    cause: (r) =>
      t`its node affinity does not mention ${r.wanted}, where its disk is, and the affinity of a volume cannot be changed`,
    advice: () =>
      t`Create a new PersistentVolume for the disk, with an affinity to where the disk is.`,
  }),
  defineReason({
    code: "VolumeFileSystemPending",
    fields: { id: z.string(), sizeGiB: z.number() },
    cause: (r) =>
      t`its disk ${r.id} has ${r.sizeGiB} GiB, and its file system grows when a pod uses it`,
    advice: () => t`Start a pod that uses it, if none does.`,
    state: "waiting",
  }),
  defineReason({
    code: "VolumeAffinityConflict",
    fields: { has: z.string(), wanted: z.string() },
    cause: (r) =>
      t`its node affinity says ${r.has} and its disk is in ${r.wanted}, and the affinity of a volume cannot be changed`,
    advice: () =>
      t`Move the disk back, or create a new PersistentVolume for it; its labels were corrected.`,
    fault: "user",
  }),
  defineReason({
    code: "VolumeTooSmall",
    fields: { id: z.string(), hasGiB: z.number(), wantedGiB: z.number() },
    cause: (r) => t`its claim asks for ${r.wantedGiB} GiB and its disk ${r.id} has ${r.hasGiB} GiB`,
  }),
  defineReason({
    code: "ClaimNotExpandable",
    fields: { claim: z.string(), problem: z.string(), phrase: z.optional(phraseSchema) },
    cause: (r) => t`the claim ${r.claim} asks for more, and ${inWords(r.phrase, r.problem)}`,
    advice: () => t`Allow expansion in its storage class, or ask for less.`,
    fault: "user",
  }),
] as const;
