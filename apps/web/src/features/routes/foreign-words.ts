import { t, worded } from "@cloudwright/core/model/language/text";
/** Where a route that is not ours stands, and where it leads, as its columns and its file have it. */
export const FOREIGN_WORDS = worded({
  inRange: () => t`In a pod range`,
  elsewhere: () => t`Elsewhere`,
  goneHop: () => t`a machine that is gone`,
});
