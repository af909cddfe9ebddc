package serve

import (
	"context"
	"errors"
	"fmt"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	cloudprovider "k8s.io/cloud-provider"
)

// machines is what upstream's two interfaces for instances have in common. A method that does not find the machine answers
// cloudprovider.InstanceNotFound. Each method of the provider is recorded.
type machines interface {
	metadata(ctx context.Context, made *record, node *v1.Node) (*cloudprovider.InstanceMetadata, error)
	exists(ctx context.Context, made *record, node *v1.Node) error
	// isShutdown answers cloudprovider.NotImplemented where the provider cannot say.
	isShutdown(ctx context.Context, made *record, node *v1.Node) (bool, error)
	// isWithoutID: the provider has no ID for this machine and will have none.
	isWithoutID(found *cloudprovider.InstanceMetadata) bool
}

// currentInstances is InstancesV2.
type currentInstances struct {
	instances cloudprovider.InstancesV2
}

func (c currentInstances) metadata(ctx context.Context, made *record, node *v1.Node) (*cloudprovider.InstanceMetadata, error) {
	return recorded(made, "InstanceMetadata", nameInCloud(node), func() (*cloudprovider.InstanceMetadata, error) {
		found, err := c.instances.InstanceMetadata(ctx, node)
		if err == nil && found == nil {
			return nil, errors.New("the provider answered neither metadata nor an error")
		}
		return found, err
	})
}

func (c currentInstances) exists(ctx context.Context, made *record, node *v1.Node) error {
	return answeredExistence(recorded(made, "InstanceExists", nameInCloud(node), func() (bool, error) {
		return c.instances.InstanceExists(ctx, node)
	}))
}

func (c currentInstances) isShutdown(ctx context.Context, made *record, node *v1.Node) (bool, error) {
	return recorded(made, "InstanceShutdown", nameInCloud(node), func() (bool, error) {
		return c.instances.InstanceShutdown(ctx, node)
	})
}

// isWithoutID: what is missing may come, as upstream has it.
func (c currentInstances) isWithoutID(*cloudprovider.InstanceMetadata) bool {
	return false
}

// olderInstances is Instances with Zones, asked in the order in which upstream asks them: by provider ID, and by name where there
// is none or the provider cannot answer by ID.
type olderInstances struct {
	scheme    string
	instances cloudprovider.Instances
	zones     cloudprovider.Zones
}

func (o olderInstances) metadata(ctx context.Context, made *record, node *v1.Node) (*cloudprovider.InstanceMetadata, error) {
	id, err := o.providerID(ctx, made, node)
	if err != nil {
		return nil, err
	}
	name := types.NodeName(node.Name)
	found := &cloudprovider.InstanceMetadata{ProviderID: id}
	found.InstanceType, err = byIDOrName(made, id, node.Name, question[string]{
		"InstanceType", func() (string, error) { return o.instances.InstanceTypeByProviderID(ctx, id) },
		func() (string, error) { return o.instances.InstanceType(ctx, name) },
	})
	if err != nil {
		return nil, err
	}
	found.NodeAddresses, err = byIDOrName(made, id, node.Name, question[[]v1.NodeAddress]{
		"NodeAddresses", func() ([]v1.NodeAddress, error) { return o.instances.NodeAddressesByProviderID(ctx, id) },
		func() ([]v1.NodeAddress, error) { return o.instances.NodeAddresses(ctx, name) },
	})
	if err != nil || o.zones == nil {
		return found, err
	}
	zone, err := byIDOrName(made, id, node.Name, question[cloudprovider.Zone]{
		"GetZone", func() (cloudprovider.Zone, error) { return o.zones.GetZoneByProviderID(ctx, id) },
		func() (cloudprovider.Zone, error) { return o.zones.GetZoneByNodeName(ctx, name) },
	})
	found.Zone, found.Region = zone.FailureDomain, zone.Region
	return found, err
}

func (o olderInstances) exists(ctx context.Context, made *record, node *v1.Node) error {
	id, err := o.providerID(ctx, made, node)
	if err != nil {
		return err
	}
	return answeredExistence(recorded(made, "InstanceExistsByProviderID", firstOf(id, node.Name), func() (bool, error) {
		return o.instances.InstanceExistsByProviderID(ctx, id)
	}))
}

func (o olderInstances) isShutdown(ctx context.Context, made *record, node *v1.Node) (bool, error) {
	id, err := o.providerID(ctx, made, node)
	if err != nil {
		return false, err
	}
	return recorded(made, "InstanceShutdownByProviderID", firstOf(id, node.Name), func() (bool, error) {
		return o.instances.InstanceShutdownByProviderID(ctx, id)
	})
}

// isWithoutID where InstanceID is not implemented: upstream initialises such a Node without one.
func (o olderInstances) isWithoutID(found *cloudprovider.InstanceMetadata) bool {
	return found.ProviderID == ""
}

// providerID is the Node's own, or made of what the provider finds by the Node's name; empty for a provider without IDs.
func (o olderInstances) providerID(ctx context.Context, made *record, node *v1.Node) (string, error) {
	if node.Spec.ProviderID != "" {
		return node.Spec.ProviderID, nil
	}
	id, err := recorded(made, "InstanceID", node.Name, func() (string, error) {
		return o.instances.InstanceID(ctx, types.NodeName(node.Name))
	})
	if errors.Is(err, cloudprovider.NotImplemented) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("the instance of %s: %w", node.Name, err)
	}
	return o.scheme + "://" + id, nil
}

// question is asked by provider ID or by name.
type question[Answer any] struct {
	name         string
	byID, byName func() (Answer, error)
}

// byIDOrName: a machine that is gone by its ID is not looked for under its name, which another one may have by now.
func byIDOrName[Answer any](made *record, id, name string, asked question[Answer]) (Answer, error) {
	if id != "" {
		answer, err := recorded(made, asked.name+"ByProviderID", id, asked.byID)
		if err == nil || errors.Is(err, cloudprovider.InstanceNotFound) {
			return answer, err
		}
	}
	return recorded(made, asked.name, name, asked.byName)
}

func answeredExistence(exists bool, err error) error {
	if err == nil && !exists {
		return cloudprovider.InstanceNotFound
	}
	return err
}

func recorded[Answer any](made *record, name, target string, method func() (Answer, error)) (answer Answer, err error) {
	err = made.call(operation{name: name, target: target}, func() error {
		answer, err = method()
		return err
	})
	return answer, err
}

func nameInCloud(node *v1.Node) string {
	return firstOf(node.Spec.ProviderID, node.Name)
}
