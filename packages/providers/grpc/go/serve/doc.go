// Package serve makes a Cloudwright provider process of any Go cloud provider: of whatever registers itself with
// k8s.io/cloud-provider. A process is a main package that imports the provider for its registration and calls Main.
package serve
