import { z } from "zod";

const schema = z.guid();

/** Ids come from URLs; asking the database for one that is no UUID would be an error instead of "not found". */
export function isUuid(text: string): boolean {
  return schema.safeParse(text).success;
}
