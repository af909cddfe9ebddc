import { t, worded } from "@cloudwright/core/model/language/text";
/** Where a foreign route is and where it leads, for its columns and its file. */
export const FOREIGN_WORDS = worded({
  inRange: () => t`In a pod range`,
  elsewhere: () => t`Elsewhere`,
  goneHop: () => t`a machine that is gone`,
});
