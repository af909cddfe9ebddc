"use client";
import { late } from "../late.tsx";

/** A record as the ledger has it. It stands on a tab, in a dialog or below a bar, and is fetched when it is shown. */
export const JsonView = late(() => import("./json-record.tsx").then((part) => part.JsonRecord));
