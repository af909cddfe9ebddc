package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	providerv1 "cloudwright.io/provider/gen/cloudwright/provider/v1"
	v1 "k8s.io/api/core/v1"
	cloudprovider "k8s.io/cloud-provider"
)

// DescribeVolumes asks upstream's PVLabeler, which takes the PersistentVolume.
func (s *server) DescribeVolumes(ctx context.Context, request *providerv1.DescribeVolumesRequest) (*providerv1.DescribeVolumesResponse, error) {
	provider, err := s.began.current()
	if err != nil {
		return nil, err
	}
	labeler, has := provider.(cloudprovider.PVLabeler)
	if !has {
		return nil, withoutCapability("volumes")
	}
	made := s.newRecord()
	ask := func(ctx context.Context, ref *providerv1.VolumeRef) *providerv1.VolumeLookup {
		return s.describeVolume(ctx, labeler, made, ref)
	}
	lookups := each(ctx, request.GetRefs(), s.within.volumes, ask, lateVolume)
	return &providerv1.DescribeVolumesResponse{Lookups: lookups, Calls: made.made()}, nil
}

func (s *server) describeVolume(ctx context.Context, labeler cloudprovider.PVLabeler, made *record, ref *providerv1.VolumeRef) *providerv1.VolumeLookup {
	volume := &v1.PersistentVolume{}
	if err := json.Unmarshal(ref.GetSourceJson(), volume); err != nil {
		return failedVolume(&Failure{Code: invalid, Target: ref.GetId(), Message: fmt.Sprintf("the PersistentVolume could not be read: %v", err)})
	}
	labels, err := recorded(made, "GetLabelsForVolume", ref.GetId(), func() (map[string]string, error) {
		return labeler.GetLabelsForVolume(ctx, volume)
	})
	if errors.Is(err, cloudprovider.DiskNotFound) {
		return &providerv1.VolumeLookup{Result: &providerv1.VolumeLookup_Absent{Absent: &providerv1.VolumeAbsent{}}}
	}
	if err != nil {
		return failedVolume(s.classify.failure(err, operation{name: "GetLabelsForVolume", target: ref.GetId()}))
	}
	return &providerv1.VolumeLookup{Result: &providerv1.VolumeLookup_Found{Found: factsOfVolume(ref.GetId(), labels)}}
}

// factsOfVolume reads zone and region from the labels, by their present and their former names.
func factsOfVolume(id string, labels map[string]string) *providerv1.VolumeFacts {
	facts := &providerv1.VolumeFacts{Id: id, AdditionalLabels: map[string]string{}, AsOfMs: time.Now().UnixMilli()}
	for key, value := range labels {
		switch key {
		case v1.LabelTopologyZone, v1.LabelFailureDomainBetaZone:
			facts.Zone = value
		case v1.LabelTopologyRegion, v1.LabelFailureDomainBetaRegion:
			facts.Region = value
		default:
			facts.AdditionalLabels[key] = value
		}
	}
	return facts
}

func lateVolume(ref *providerv1.VolumeRef) *providerv1.VolumeLookup {
	return failedVolume(&Failure{Code: timedOut, Operation: "GetLabelsForVolume", Target: ref.GetId(), Message: "the provider did not answer in time"})
}

func failedVolume(failure *Failure) *providerv1.VolumeLookup {
	return &providerv1.VolumeLookup{Result: &providerv1.VolumeLookup_Failed{Failed: failure}}
}
