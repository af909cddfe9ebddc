/** Set by kubelets that wait for a cloud controller; matched by key alone (spec/10 §1). */
export const UNINITIALIZED_TAINT = "node.cloudprovider.kubernetes.io/uninitialized";
