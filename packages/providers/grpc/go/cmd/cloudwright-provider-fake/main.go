// Command cloudwright-provider-fake is a provider process on upstream's own fake cloud (k8s.io/cloud-provider/fake), to play with
// and to test against.
//
// Its cloud configuration is `{"state": "/path/of/state.json"}`. The state is read again for each call, so that a test changes the
// cloud by writing the file; see the type state for what it holds.
package main

import (
	providerv1 "cloudwright.io/provider/gen/cloudwright/provider/v1"
	"cloudwright.io/provider/serve"
)

func main() {
	// Upstream's fake keeps its load balancers and routes in maps without a lock of their own.
	serve.MainWith(name, serve.Options{
		Concurrency:   serve.Concurrency{LoadBalancers: 1, Routes: 1},
		VolumeSources: []*providerv1.VolumeSource{{Key: "awsElasticBlockStore", IdField: "volumeID"}},
	})
}
