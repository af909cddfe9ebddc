"use client";
import { late } from "../late.tsx";

/** A record from the ledger. It is shown in a tab, a dialog or below a bar, and is loaded when it is first shown. */
export const JsonView = late(() => import("./json-record.tsx").then((part) => part.JsonRecord));
