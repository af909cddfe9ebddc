package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	v1 "k8s.io/api/core/v1"
	cloudprovider "k8s.io/cloud-provider"
	"k8s.io/cloud-provider/api"
)

// state is what the cloud has and how it behaves.
type state struct {
	// Instances by the name of their Node.
	Instances map[string]instance `json:"instances"`
	// ExternalIP is the address of every load balancer.
	ExternalIP string `json:"externalIP"`
	// Volumes are the labels of disks by the name of their PersistentVolume.
	Volumes map[string]map[string]string `json:"volumes"`
	// OlderInterface serves Instances and Zones instead of InstancesV2; read when the provider begins.
	OlderInterface bool `json:"olderInterface"`
	// WithoutZones serves no Zones beside the older Instances; read when the provider begins.
	WithoutZones bool `json:"withoutZones"`
	// Mishaps by the name of the method that they befall, such as `EnsureLoadBalancer`; or by that and what alone it befalls, the
	// provider ID of an instance or, where a method asks by it, the Node's name: `InstanceID node-1`.
	Mishaps map[string]mishap `json:"mishaps"`
}

type instance struct {
	ProviderID string            `json:"providerID"`
	Type       string            `json:"type"`
	Zone       string            `json:"zone"`
	Region     string            `json:"region"`
	Addresses  []v1.NodeAddress  `json:"addresses"`
	Labels     map[string]string `json:"labels"`
	Shutdown   bool              `json:"shutdown"`
}

// mishap is what a method does instead of, or before, its work.
type mishap struct {
	DelayMS      int    `json:"delayMs"`
	Error        string `json:"error"`
	RetryAfterMS int    `json:"retryAfterMs"`
	Panics       string `json:"panics"`
	Elsewhere    bool   `json:"elsewhere"`
	// NotFound and NotImplemented are the errors of upstream by these names.
	NotFound       bool `json:"notFound"`
	NotImplemented bool `json:"notImplemented"`
}

func (m mishap) happen() error {
	time.Sleep(time.Duration(m.DelayMS) * time.Millisecond)
	switch {
	case m.Panics != "":
		panic(m.Panics)
	case m.Elsewhere:
		return cloudprovider.ImplementedElsewhere
	case m.NotFound:
		return cloudprovider.InstanceNotFound
	case m.NotImplemented:
		return cloudprovider.NotImplemented
	case m.RetryAfterMS > 0:
		return api.NewRetryError(m.Error, time.Duration(m.RetryAfterMS)*time.Millisecond)
	case m.Error != "":
		return errors.New(m.Error)
	}
	return nil
}

// stateFile reads the state as it is now.
type stateFile struct {
	path string
}

func stateFileOf(config io.Reader) (*stateFile, error) {
	if config == nil {
		return nil, errors.New(`the fake cloud needs a cloud configuration: {"state": "/path/of/state.json"}`)
	}
	var given struct {
		State string `json:"state"`
	}
	if err := json.NewDecoder(config).Decode(&given); err != nil {
		return nil, fmt.Errorf("the cloud configuration: %w", err)
	}
	file := &stateFile{given.State}
	_, err := file.read()
	return file, err
}

func (f *stateFile) read() (state, error) {
	text, err := os.ReadFile(f.path)
	if err != nil {
		return state{}, err
	}
	var now state
	if err := json.Unmarshal(text, &now); err != nil {
		return state{}, fmt.Errorf("%s: %w", f.path, err)
	}
	return now, nil
}

// befall reads the state and lets what befalls the method happen.
func (f *stateFile) befall(method string) (state, error) {
	return f.befallAt(method, "")
}

// befallAt also lets happen what befalls the method for one target alone.
func (f *stateFile) befallAt(method, target string) (state, error) {
	now, err := f.read()
	if err != nil {
		return now, err
	}
	if alone, has := now.Mishaps[method+" "+target]; has {
		return now, alone.happen()
	}
	return now, now.Mishaps[method].happen()
}

// instanceOf finds a machine by provider ID, and by the Node's name where it has none.
func (s state) instanceOf(node *v1.Node) (instance, error) {
	if node.Spec.ProviderID == "" {
		if found, has := s.Instances[node.Name]; has {
			return found, nil
		}
		return instance{}, cloudprovider.InstanceNotFound
	}
	for _, found := range s.Instances {
		if found.ProviderID == node.Spec.ProviderID {
			return found, nil
		}
	}
	return instance{}, cloudprovider.InstanceNotFound
}
