package main

import (
	"errors"
	"fmt"
	"testing"

	providerv1 "cloudwright.io/provider/gen/cloudwright/provider/v1"
	"github.com/aws/smithy-go"
)

func TestCodesOfAWS(t *testing.T) {
	want := map[providerv1.FailureCode][]string{
		providerv1.FailureCode_FAILURE_CODE_THROTTLED:      {"RequestLimitExceeded", "Throttling", "ThrottlingException", "RequestThrottled", "PriorRequestNotComplete"},
		providerv1.FailureCode_FAILURE_CODE_UNAUTHORIZED:   {"UnauthorizedOperation", "AccessDenied", "AuthFailure", "InvalidClientTokenId", "RequestExpired", "ExpiredToken"},
		providerv1.FailureCode_FAILURE_CODE_QUOTA_EXCEEDED: {"RouteLimitExceeded", "RulesPerSecurityGroupLimitExceeded", "TooManyLoadBalancers", "InsufficientFreeAddressesInSubnet"},
		providerv1.FailureCode_FAILURE_CODE_CONFLICT:       {"DependencyViolation", "ResourceInUse", "DuplicateLoadBalancerName", "InvalidGroup.Duplicate", "InvalidGroup.InUse", "RouteAlreadyExists"},
		providerv1.FailureCode_FAILURE_CODE_NOT_FOUND:      {"InvalidInstanceID.NotFound", "LoadBalancerNotFound", "InvalidRoute.NotFound", "TargetGroupNotFound"},
		providerv1.FailureCode_FAILURE_CODE_INVALID:        {"InvalidInstanceID.Malformed", "InvalidTarget", "InvalidParameterValue", "ValidationError", "InvalidConfigurationRequest"},
		providerv1.FailureCode_FAILURE_CODE_UNSUPPORTED:    {"UnsupportedOperation", "UnsupportedProtocol"},
		providerv1.FailureCode_FAILURE_CODE_UNAVAILABLE:    {"InternalError", "InternalFailure"},
	}
	for code, names := range want {
		for _, name := range names {
			failure := classify(fmt.Errorf("while at it: %w", &smithy.GenericAPIError{Code: name, Message: "no"}))
			if failure == nil || failure.Code != code || failure.CloudCode != name {
				t.Errorf("%s is %v, wanted %s", name, failure, code)
			}
		}
	}
}

const lost = `error creating AWS route (10.0.0.0/24): "operation error EC2: CreateRoute, exceeded maximum number of attempts, 3, ` +
	`https response error StatusCode: 400, RequestID: 5b1c-7, api error RouteLimitExceeded: too many"`

func TestTheTextTellsWhereTheTypesAreLost(t *testing.T) {
	failure := classify(errors.New(lost))
	if failure == nil {
		t.Fatal("it means nothing")
	}
	got := fmt.Sprint(failure.Code, failure.Operation, failure.Status, failure.RequestId, failure.CloudCode)
	want := fmt.Sprint(providerv1.FailureCode_FAILURE_CODE_QUOTA_EXCEEDED, "ec2.CreateRoute", 400, "5b1c-7", "RouteLimitExceeded")
	if got != want {
		t.Errorf("it is %s, wanted %s", got, want)
	}
}

func TestStatusesWithoutACodeThatIsKnown(t *testing.T) {
	text := "operation error Elastic Load Balancing v2: DescribeTags, https response error StatusCode: %d, RequestID: 1, api error Odd: no"
	want := map[int]providerv1.FailureCode{
		503: providerv1.FailureCode_FAILURE_CODE_THROTTLED,
		500: providerv1.FailureCode_FAILURE_CODE_UNAVAILABLE,
	}
	for status, code := range want {
		failure := classify(fmt.Errorf(text, status))
		if failure == nil || failure.Code != code || failure.Operation != "elasticloadbalancing.DescribeTags" {
			t.Errorf("%d is %v, wanted %s", status, failure, code)
		}
	}
}

func TestWithoutCredentialsNothingIsAuthorized(t *testing.T) {
	failure := classify(errors.New("operation error EC2: DescribeVpcs, get identity: get credentials: failed to refresh cached credentials, no EC2 IMDS role found"))
	if failure == nil || failure.Code != providerv1.FailureCode_FAILURE_CODE_UNAUTHORIZED {
		t.Errorf("it is %v", failure)
	}
}

func TestWhatIsNotOfAWSIsLeftToOthers(t *testing.T) {
	if failure := classify(errors.New("mixed protocol is not supported for LoadBalancer")); failure != nil {
		t.Errorf("it is %v", failure)
	}
}
