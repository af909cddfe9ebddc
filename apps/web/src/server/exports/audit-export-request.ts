import { EXPORT_FORMATS } from "@cloudwright/store/exports/file-pieces";
import { z } from "zod";
import { auditFilterShape, clusterInput, momentText, someText } from "../routers/inputs.ts";
import { type ExportQuery, exportBy } from "./export-request.ts";

/** The parameters are those of the filter; an object is `objectKind` and `objectName`, times are milliseconds. */
const querySchema = clusterInput
  .extend({ format: z.enum(EXPORT_FORMATS) })
  .extend(auditFilterShape)
  .omit({ object: true })
  .extend({
    objectKind: someText,
    objectName: someText,
    from: momentText,
    to: momentText,
    withoutPreviews: z.stringbool().optional(),
  })
  .strict();

/** Exports the audit record at its address from before every list could be exported, because scripts still use it. */
export function auditExportRequest(request: Request): Promise<Response> {
  return exportBy(request, readQuery);
}

function readQuery(members: Readonly<Record<string, string>>): ExportQuery | undefined {
  const parsed = querySchema.safeParse(members);
  if (!parsed.success) return undefined;
  const { cluster, format, objectKind: kind, objectName: name, ...filter } = parsed.data;
  const object =
    kind === undefined && name === undefined ? {} : { object: { kind, name: name ?? "*" } };
  return {
    list: "audit",
    cluster,
    format,
    filter: { ...filter, ...object } as ExportQuery["filter"],
  };
}
