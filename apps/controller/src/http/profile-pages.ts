import {
  type Page,
  type PageHandler,
  type PageRequest,
  type Pages,
  read,
  textPage,
} from "./pages.ts";
import { ProfileBusy, type Recording, recordAllocations, recordCpu } from "./profiles.ts";

const DEFAULT_SECONDS = 30;
const MOST_SECONDS = 300;

const INDEX = `Profiles of this process, in the formats of V8 (Chrome's developer tools and most editors open them):

/debug/pprof/profile?seconds=30  where CPU time goes (.cpuprofile)
/debug/pprof/heap?seconds=30     which functions allocated the memory in use at the end (.heapprofile); no contents of objects
`;

export interface ProfilePagesOptions extends Pick<Recording, "clock" | "signal"> {
  setVerbosity(level: number): void;
}

/** What `--profiling` adds: profiles, and the level of the log (spec/00 §7). */
export function profilePages(options: ProfilePagesOptions): Pages {
  return new Map<string, PageHandler>([
    ["/debug/pprof", read(() => textPage(200, INDEX))],
    ["/debug/pprof/", read(() => textPage(200, INDEX))],
    ["/debug/pprof/profile", read(profile(options, recordCpu))],
    ["/debug/pprof/heap", read(profile(options, recordAllocations))],
    ["/debug/flags/v", { verbs: ["put"], answer: (request) => putVerbosity(request, options) }],
  ]);
}

function profile(
  { clock, signal }: ProfilePagesOptions,
  record: (recording: Recording) => Promise<object>,
): (request: PageRequest) => Promise<Page> {
  return async ({ query }) => {
    const seconds = Number(query.get("seconds") ?? DEFAULT_SECONDS);
    if (!(seconds > 0 && seconds <= MOST_SECONDS)) {
      return textPage(400, `seconds must be more than 0 and at most ${MOST_SECONDS}\n`);
    }
    try {
      const body = JSON.stringify(await record({ seconds, clock, signal }));
      return { status: 200, type: "application/json", body };
    } catch (error) {
      if (error instanceof ProfileBusy) return textPage(409, `${error.message}\n`);
      throw error;
    }
  };
}

async function putVerbosity(
  request: PageRequest,
  { setVerbosity }: ProfilePagesOptions,
): Promise<Page> {
  const wanted = (await request.body()).trim();
  if (!/^\d{1,2}$/.test(wanted))
    return textPage(400, "the body must be a whole number such as 4\n");
  setVerbosity(Number(wanted));
  return textPage(200, `the log's level is now ${Number(wanted)}\n`);
}
