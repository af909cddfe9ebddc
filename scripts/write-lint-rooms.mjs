import { writeFileSync } from "node:fs";
import { inProject } from "./lib/project.mjs";
import { lintRooms } from "./lint/rooms.mjs";

/** Writes biome.rooms.json from the table of rooms. */
writeFileSync(inProject("biome.rooms.json"), lintRooms());
