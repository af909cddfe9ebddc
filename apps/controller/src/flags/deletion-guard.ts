import { GUARD } from "@cloudwright/core/model/settings/setting-kinds";
import { kindOf } from "./kinds.ts";

/** `--node-deletion-guard`; undefined: off. */
export const deletionGuard = kindOf(GUARD);
