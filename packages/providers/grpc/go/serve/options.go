package serve

import (
	providerv1 "cloudwright.io/provider/gen/cloudwright/provider/v1"
	cloudprovider "k8s.io/cloud-provider"
)

// Failure says why a call failed, in the contract's words.
type Failure = providerv1.Failure

// Options is what a provider's main may say beside the provider's name. The zero value serves any provider.
type Options struct {
	// Version of the program, for people; the version of the main module unless given.
	Version string
	// ProviderName is the scheme of the provider's IDs, if it is another than the name under which it registered itself.
	ProviderName string
	// OtherSchemes are further schemes of provider IDs that are this provider's own, such as `hrobot` beside `hcloud`. The ID of
	// another scheme that the provider does not find is reported as another cloud's, never as a machine that is gone.
	OtherSchemes []string
	// Classify maps an error of the provider's SDK; nil leaves it to the general rules (see Classify in failures.go).
	Classify func(error) *Failure
	// Wrap stands between the provider and this package: it is given the provider before anything else calls it.
	Wrap func(cloudprovider.Interface) cloudprovider.Interface
	// Concurrency bounds how many methods of the provider run at the same time.
	Concurrency Concurrency
	// VolumeSources are the kinds of disk that a provider's PVLabeler knows, if it is not one of the former in-tree providers.
	VolumeSources []*providerv1.VolumeSource
	// Adjust narrows what is announced, such as protocols that the cloud has not.
	Adjust func(*providerv1.Capabilities)
}

// Concurrency bounds the methods of one kind that run at the same time; 0 is the default.
type Concurrency struct {
	// Instances is 64 unless given.
	Instances int
	// LoadBalancers is 32 unless given. One Service is never worked on twice at the same time.
	LoadBalancers int
	// Routes is 32 unless given. One destination is never worked on twice at the same time.
	Routes int
	// Volumes is 16 unless given.
	Volumes int
}

func (c Concurrency) withDefaults() Concurrency {
	return Concurrency{
		Instances:     or(c.Instances, 64),
		LoadBalancers: or(c.LoadBalancers, 32),
		Routes:        or(c.Routes, 32),
		Volumes:       or(c.Volumes, 16),
	}
}

func or(given, otherwise int) int {
	if given > 0 {
		return given
	}
	return otherwise
}
