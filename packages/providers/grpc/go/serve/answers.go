package serve

import (
	"context"
	"errors"
	"fmt"

	providerv1 "cloudwright.io/provider/gen/cloudwright/provider/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	cloudprovider "k8s.io/cloud-provider"
)

const (
	failureTrailer        = "cloudwright-failure-bin"
	unknownObjectsTrailer = "cloudwright-unknown-objects-bin"
)

// failedCall fails a call as a whole: the failure travels in the trailer.
func failedCall(ctx context.Context, failure *Failure) error {
	if err := withTrailer(ctx, failureTrailer, failure); err != nil {
		return err
	}
	return status.Error(statusOfFailure(failure.GetCode()), failure.GetMessage())
}

func withTrailer(ctx context.Context, key string, message proto.Message) error {
	text, err := proto.Marshal(message)
	if err != nil {
		return status.Error(codes.Internal, err.Error())
	}
	return grpc.SetTrailer(ctx, metadata.Pairs(key, string(text)))
}

func statusOfFailure(code providerv1.FailureCode) codes.Code {
	switch code {
	case notFound:
		return codes.NotFound
	case throttled, quota:
		return codes.ResourceExhausted
	case unauthorized:
		return codes.PermissionDenied
	case conflict:
		return codes.AlreadyExists
	case invalid:
		return codes.InvalidArgument
	case unavailable:
		return codes.Unavailable
	case timedOut:
		return codes.DeadlineExceeded
	case unsupported:
		return codes.Unimplemented
	case providerv1.FailureCode_FAILURE_CODE_OUT_OF_BOUNDS:
		return codes.OutOfRange
	}
	return codes.Unknown
}

func withoutCapability(name string) error {
	return status.Errorf(codes.Unimplemented, "the provider has no %s", name)
}

// unknownObjects is nil where every object that the request names is here.
func (r *resolution) unknownObjects(ctx context.Context) error {
	if len(r.unknown) == 0 {
		return nil
	}
	if err := withTrailer(ctx, unknownObjectsTrailer, &providerv1.UnknownObjects{Refs: r.unknown}); err != nil {
		return err
	}
	return status.Errorf(codes.FailedPrecondition, "%d objects of the request are not here in the version that it names", len(r.unknown))
}

// invalidRequest is a request that breaks the contract.
func invalidRequest(format string, values ...any) error {
	return status.Error(codes.InvalidArgument, fmt.Sprintf(format, values...))
}

// isAnswer: errors by which upstream's interface answers a question rather than failing.
func isAnswer(err error) bool {
	for _, answer := range []error{cloudprovider.InstanceNotFound, cloudprovider.DiskNotFound, cloudprovider.ImplementedElsewhere, cloudprovider.NotImplemented} {
		if errors.Is(err, answer) {
			return true
		}
	}
	return false
}
