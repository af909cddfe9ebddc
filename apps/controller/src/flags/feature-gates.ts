/** A feature gate as defined by upstream in the release that `UPSTREAM` names. */
export interface FeatureGate {
  readonly maturity: "alpha" | "beta" | "ga" | "deprecated";
  /** Its default. */
  readonly initial: boolean;
  /** Any value other than the default is refused. */
  readonly locked?: true;
  /** What it changes here when it is on; absent if nothing. */
  readonly effect?: string;
}

const UPSTREAM = "Kubernetes 1.37";

/**
 * All gates of a cloud controller manager of upstream's v0.37: those of k8s.io/controller-manager, component-base and
 * apiserver, as that release's own `GetAll()` lists them at its version.
 */
export const FEATURE_GATES = {
  APIResponseCompression: { maturity: "beta", initial: true },
  APIServerIdentity: { maturity: "beta", initial: true },
  APIServerWebhookAuthenticationToken: { maturity: "alpha", initial: false },
  APIServingWithRoutine: { maturity: "alpha", initial: false },
  AggregatedDiscoveryRemoveBetaType: { maturity: "deprecated", initial: true, locked: true },
  AllAlpha: { maturity: "alpha", initial: false, effect: "the default of all alpha gates" },
  AllBeta: { maturity: "beta", initial: false, effect: "the default of all beta gates" },
  AllowParsingUserUIDFromCertAuth: { maturity: "beta", initial: true },
  AllowUnsafeMalformedObjectDeletion: { maturity: "beta", initial: true },
  CBORServingAndStorage: { maturity: "alpha", initial: false },
  CloudControllerManagerWatchBasedRoutesReconciliation: {
    maturity: "alpha",
    initial: false,
    effect: "routes are listed every 5 minutes and when nodes change, instead of every 10 seconds",
  },
  CloudControllerManagerWebhook: { maturity: "alpha", initial: false },
  ComponentFlagz: { maturity: "beta", initial: true },
  ComponentStatusz: { maturity: "beta", initial: true },
  ConcurrentWatchObjectDecode: { maturity: "beta", initial: true },
  ConsistentListFromCacheSkipTimeoutFallback: { maturity: "alpha", initial: false },
  ConstrainedImpersonation: { maturity: "beta", initial: true },
  ContextualLogging: { maturity: "beta", initial: true },
  ControllerManagerReleaseLeaderElectionLockOnExit: { maturity: "alpha", initial: false },
  CoordinatedLeaderElection: { maturity: "beta", initial: false },
  DeclarativeValidation: { maturity: "ga", initial: true, locked: true },
  DeclarativeValidationBeta: { maturity: "beta", initial: true },
  DeclarativeValidationTakeover: { maturity: "deprecated", initial: false, locked: true },
  DetectCacheInconsistency: { maturity: "beta", initial: true },
  EtcdRangeStream: { maturity: "beta", initial: true },
  ExcludeAdmissionWebhookVirtualResources: { maturity: "beta", initial: true },
  KMSv1: { maturity: "deprecated", initial: false },
  ListFromCacheSnapshot: { maturity: "beta", initial: true },
  LoggingAlphaOptions: {
    maturity: "alpha",
    initial: false,
    effect: "the alpha logging flags are accepted",
  },
  LoggingBetaOptions: { maturity: "beta", initial: true },
  ManifestBasedAdmissionControlConfig: { maturity: "beta", initial: true },
  MutatingAdmissionPolicy: { maturity: "ga", initial: true },
  NativeHistograms: { maturity: "beta", initial: true },
  OpenAPIEnums: { maturity: "beta", initial: true },
  RemoteRequestHeaderUID: { maturity: "beta", initial: true },
  SeparateCacheWatchRPC: { maturity: "deprecated", initial: false, locked: true },
  ShardedListAndWatch: { maturity: "alpha", initial: false },
  SizeBasedListCostEstimate: { maturity: "beta", initial: true },
  StorageVersionAPI: { maturity: "alpha", initial: false },
  StorageVersionHash: { maturity: "beta", initial: true },
  StructuredAuthenticationConfigurationEgressSelector: { maturity: "beta", initial: true },
  StructuredAuthenticationConfigurationJWKSMetrics: { maturity: "beta", initial: true },
  TokenRequestServiceAccountUIDValidation: { maturity: "beta", initial: true },
  UnauthenticatedHTTP2DOSMitigation: { maturity: "beta", initial: true },
  UnknownVersionInteroperabilityProxy: { maturity: "beta", initial: true },
  WatchCacheInitializationPostStartHook: { maturity: "ga", initial: true, locked: true },
  WatchList: { maturity: "beta", initial: true },
  WatchListCompression: { maturity: "beta", initial: true },
  WebhookRoundTripLoadBalancing: { maturity: "beta", initial: true },
} as const satisfies Readonly<Record<string, FeatureGate>>;
export type GateName = keyof typeof FEATURE_GATES;

/** `--feature-gates` as given. */
type Given = Readonly<Record<string, boolean>>;

/** Reports whether a gate is on: by its own value, else by the value for its maturity, else by upstream's default. */
export function isGateOn(given: Given, name: string): boolean {
  const gate = gateOf(name);
  if (gate === undefined) return false;
  const { maturity, initial } = gate;
  return given[name] ?? ofMaturity(given, maturity) ?? initial;
}

function ofMaturity(given: Given, maturity: FeatureGate["maturity"]): boolean | undefined {
  if (maturity === "alpha") return given.AllAlpha;
  return maturity === "beta" ? given.AllBeta : undefined;
}

/** Returns why given gates are refused, one sentence each: upstream does not know them, or locks them to their value. */
export function gateProblems(given: Given): readonly string[] {
  return Object.entries(given).flatMap(([name, on]) => gateProblem(name, on) ?? []);
}

function gateProblem(name: string, on: boolean): string | undefined {
  const gate = gateOf(name);
  if (gate === undefined) {
    return `--feature-gates names "${name}", which is not a gate of ${UPSTREAM}: remove it.`;
  }
  return gate.locked === true && gate.initial !== on
    ? `--feature-gates has ${name}=${on}, but ${UPSTREAM} locks this gate to ${gate.initial}: remove it.`
    : undefined;
}

/** Returns the given gates that have no effect here. */
export function idleGates(given: Given): readonly string[] {
  return Object.keys(given).filter((name) => gateOf(name)?.effect === undefined);
}

function gateOf(name: string): FeatureGate | undefined {
  return Object.entries<FeatureGate>(FEATURE_GATES).find(([each]) => each === name)?.[1];
}

/** Returns a line for each gate, for the help. */
export function gateLines(): readonly string[] {
  return Object.entries<FeatureGate>(FEATURE_GATES).map(([name, gate]) => {
    const { maturity, initial, locked, effect } = gate;
    const value = locked === true ? `locked to ${initial}` : `default ${initial}`;
    return `  ${name} (${maturity}, ${value})${effect === undefined ? "" : `: ${effect}`}`;
  });
}
