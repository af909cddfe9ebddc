import { volumeDetailSchema } from "../records/volume-record.ts";
import { defineObjectKind } from "./define-kind.ts";

export const volumeKind = defineObjectKind({
  name: "PersistentVolume",
  table: "volume_states",
  detail: { schema: volumeDetailSchema, inLists: true },
  subject: ({ createdAt, detail }) => {
    const volume = volumeDetailSchema.safeParse(detail).data;
    return { createdAt, ...volume, at: { ...volume?.labels.has, ...volume?.labels.wanted } };
  },
  shared: ({ createdAt, volumeId, claim, storageClass, at }) => ({
    createdAt,
    providerID: volumeId,
    words: [volumeId, claim, storageClass, at.zone, at.region],
  }),
  columns: {
    zone: { type: "text", read: ({ at }): string | undefined => at.zone },
    storageClass: { type: "text", read: ({ storageClass }) => storageClass },
    /** When we last changed something of it. */
    changedAt: { type: "time", read: ({ changedAt }) => changedAt },
  },
  sorts: { state: "state", name: "name", since: "since", zone: "zone" },
  filters: {},
  facets: [],
});
