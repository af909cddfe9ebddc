/**
 * What of the lock file's packages the programs can load when they run, as a set of `name@version`: from the dependencies of these
 * folders on, and theirs, resolved as Node does; not what only builds or tests, and not what is for other platforms.
 * `isLeftOut` takes a package's name.
 */
export function shippedPackages(packages, { folders, ...rest }) {
  const place = { platform: process.platform, arch: process.arch, isLeftOut: () => false, ...rest };
  const paths = new Set(folders);
  // What is added on the way is walked as well.
  for (const path of paths) for (const at of placesNeededBy(path, packages, place)) paths.add(at);
  return new Set(
    [...paths].flatMap((path) => {
      const name = nameOf(path);
      return name === undefined ? [] : [`${name}@${packages[path].version}`];
    }),
  );
}

function placesNeededBy(path, packages, { isLeftOut, ...place }) {
  return neededBy(packages[path])
    .filter(({ wanted }) => !isLeftOut(wanted))
    .map((need) => placeOf(need, path, packages))
    .filter((at) => at !== undefined && isFor(packages[at], place));
}

/** Not its peers: who depends on it depends on those of them that are used, too. */
function neededBy({ dependencies, optionalDependencies }) {
  return [
    ...Object.keys(dependencies ?? {}).map((wanted) => ({ wanted })),
    ...Object.keys(optionalDependencies ?? {}).map((wanted) => ({ wanted, isOptional: true })),
  ];
}

/**
 * The folder of the package that Node finds from there; of one of ours the folder that its link leads to. An optional one that no
 * platform of the lock file has is nowhere.
 */
function placeOf({ wanted, isOptional }, from, packages) {
  const at = foldersFrom(from)
    .map((folder) => `${folder}node_modules/${wanted}`)
    .find((path) => packages[path] !== undefined);
  if (at !== undefined) return packages[at].link ? packages[at].resolved : at;
  if (isOptional) return undefined;
  throw new Error(`${from} needs ${wanted}, which is not in the lock file.`);
}

/** This folder and those around it, each with a slash at its end; the last is the project's, which is empty. */
function foldersFrom(folder) {
  const at = folder.lastIndexOf("/node_modules/");
  return [`${folder}/`, ...(at === -1 ? [""] : foldersFrom(folder.slice(0, at)))];
}

/** Folders of the project are no packages of others. */
function nameOf(path) {
  const at = path.lastIndexOf("node_modules/");
  return at === -1 ? undefined : path.slice(at + "node_modules/".length);
}

function isFor({ os, cpu }, { platform, arch }) {
  return isAmong(os, platform) && isAmong(cpu, arch);
}

function isAmong(names, name) {
  if (names === undefined) return true;
  const refused = names.filter((each) => each.startsWith("!")).map((each) => each.slice(1));
  return refused.length > 0 ? !refused.includes(name) : names.includes(name);
}
